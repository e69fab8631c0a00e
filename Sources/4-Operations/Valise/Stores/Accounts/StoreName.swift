package import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseContentStore
import ValiseFiles
import ValiseStorage

/// A file or folder of a store of tcfs in the place of an account: `store://STORE::PATH`. STORE is the absolute path of a folder or
/// the address of a server; PATH is an archive, or the folder of an account.
///
/// It is fetched into a private folder, whole and verified, and read there. A zip that is read in place would need fewer bytes of
/// the line; but its directory is at the end and its entries are read in no order, each read would wait for a server, and of a
/// store without encryption only the hash of the whole file tells whether the host has shifted or left out chunks. Databases have
/// to be files for SQLCipher anyway.
package struct StoreName: Sendable, Hashable {
    let store: StoreAddress
    /// In the store; empty for its top.
    let path: String

    /// With one slash, which is what a path makes of two.
    private static let scheme = "store:/"
    private static let separator = "::"

    /// - Throws: `StorageError`: `invalid` for an address that is none; ``OperationError``: `invalid` where the path is missing.
    init(_ text: String) throws {
        let rest = text.dropFirst(Self.scheme.count).drop { $0 == "/" }
        guard let mark = rest.ranges(of: Self.separator).last else {
            throw OperationError(
                .invalid, "a store in the place of an account has the path behind two colons", subject: text)
        }
        store = try StoreAddress(Self.address(String(rest[..<mark.lowerBound])))
        path = String(rest[mark.upperBound...].drop { $0 == "/" })
    }

    /// Looks whether a path is such a name. Nothing is opened.
    /// - Throws: as ``init(_:)``.
    package static func find(_ path: FilePath) throws -> StoreName? {
        path.string.hasPrefix(scheme) ? try StoreName(path.string) : nil
    }

    /// An address that was made a path, which has no two slashes beside each other. What is no address of a server is an
    /// absolute path.
    private static func address(_ text: String) -> String {
        for start in ["s3:https:", "s3:http:", "seaweedfs:", "seaweedfs+http:", "seaweedfs+https:"]
        where text.hasPrefix("\(start)/") {
            return "\(start)//" + text.dropFirst(start.count).drop { $0 == "/" }
        }
        return text.hasPrefix("s3:") ? text : "/" + text
    }

    var text: String { "store://\(store.text)\(Self.separator)\(path)" }

    /// Fetches and opens it. What was fetched goes with the reader.
    /// - Throws: `ContentStoreError`; `StorageError`; `FileError`: `noSpace`; as `AccountReader`.
    func open(prefix: String? = nil, in context: OperationContext) async throws -> AccountReader {
        let name = text
        return try await fetched(in: context) { copy in
            let reader = try AccountReader(AccountPlace.find(copy.path, prefix: prefix))
            return AccountReader(FetchedStorage(reader, copy, name: name))
        }
    }

    /// Fetches an archive. What was fetched has no name any more when this returns, and goes when nobody has it open.
    /// - Parameter path: as the user named it, by which it is found.
    /// - Throws: as ``open(prefix:in:)``.
    func archive(as path: FilePath, in context: OperationContext) async throws -> ImportArchive.Source {
        try await fetched(in: context) { copy in
            let file = try FileSystem().openForReading(copy.path)
            return .lent(path, by: FileSystem().lending(file, as: path))
        }
    }

    private func fetched<Value: Sendable>(
        in context: OperationContext, _ body: @escaping @Sendable (StoreCopy) throws -> Value
    ) async throws -> Value {
        let access = try context.stores()
        var input = StoreInput(store, keys: access.keys)
        input.access = access.storage
        return try await input.opened(in: context) { store, progress in
            try body(StoreCopy(path, of: store, in: context.folders, progress))
        }
    }
}

/// What opens stores that are named in the place of accounts.
package struct StoreAccess: Sendable {
    package var keys = StoreKeySource()
    package var storage = StorageAccess()

    package init() {}

    /// What the variables say: of the server what other programs read too, and where the keys are.
    /// - Parameter variable: a variable of the environment; nil for an empty one too.
    /// - Throws: `SecretsError`; ``OperationError``: `invalid` for a passphrase whose salt is not known.
    package init(variable: (String) -> String?) throws {
        storage = try StorageAccess(variable: variable)
        keys = try StoreKeySource(variable: variable)
    }
}
