package import SystemPackage
package import ValiseAccounts
import ValiseBackups
import ValiseFiles
import ValiseRepository

/// A snapshot that is named in the place of an account: `REPO::SNAPSHOT`, with the address of a repository, and the ID of a
/// snapshot or `latest`.
package struct SnapshotName: Sendable, Hashable {
    let repository: RepositoryPlace
    let snapshot: String

    private static let separator = "::"

    /// - Throws: `StorageError`: `invalid` for an address that is none.
    init?(_ text: String) throws {
        let parts = text.split(separator: Self.separator, omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.last, !last.isEmpty, !last.contains("/") else { return nil }
        let place = text.dropLast(last.count + Self.separator.count)
        guard !place.isEmpty else { return nil }
        repository = try RepositoryPlace(Self.address(String(place)))
        snapshot = String(last)
    }

    /// What stands for its account in the names of files.
    package var account: AccountLocation { AccountLocation(directory: "snapshot") }

    /// Looks whether a path is such a name, and no file or folder. Nothing is opened.
    /// - Throws: `FileError`; `StorageError`: `invalid`.
    package static func find(_ path: FilePath) throws -> SnapshotName? {
        guard path.string.contains(separator), try StoreName.find(path) == nil,
            try !FileSystem().exists(path)
        else { return nil }
        return try SnapshotName(path.string)
    }

    /// An address that was made a path, which has no two slashes beside each other.
    private static func address(_ text: String) -> String {
        for start in ["rest:https:", "rest:http:", "s3:https:", "s3:http:"]
        where text.hasPrefix("\(start)/") && !text.hasPrefix("\(start)//") {
            return "\(start)/\(text.dropFirst(start.count))"
        }
        return text
    }

    /// Opens it. The repository stays locked, with others that read, for as long as the reader lives.
    func open(in context: OperationContext) async throws -> AccountReader {
        let (opened, found) = try await opened(in: context)
        do {
            return try await context.blocking { _ in
                AccountReader(
                    try SnapshotStorage(
                        opened.repository, found, at: repository.text, lock: opened.lock))
            }
        } catch {
            opened.lock.release()
            throw error
        }
    }

    /// The same for who restores it, and releases the lock.
    func opened(
        in context: OperationContext
    ) async throws -> (repository: OpenedRepository, snapshot: StoredSnapshot) {
        let access = try context.repositories()
        var input = RepositoryInput(repository, password: access.password)
        input.access = access.storage
        input.limits = access.limits
        let opened = try await input.opened(in: context)
        do {
            return (opened, try opened.snapshot(snapshot))
        } catch {
            opened.lock.release()
            throw error
        }
    }
}

/// What opens repositories that are named in the place of accounts.
package struct RepositoryAccess: Sendable {
    /// Nil where the user is asked.
    package var password: PassphraseSource.Given?
    package var storage = StorageAccess()
    package var limits = TransferLimits()

    package init() {}

    /// What the variables say that restic reads too.
    /// - Parameter variable: a variable of the environment; nil for an empty one too.
    /// - Throws: `SecretsError`.
    package init(variable: (String) -> String?) throws {
        password = PassphraseSource.Given(
            file: variable("RESTIC_PASSWORD_FILE"), command: variable("RESTIC_PASSWORD_COMMAND"),
            descriptor: nil)
        storage = try StorageAccess(variable: variable)
    }
}

/// Where an account is that an operation reads.
enum ReadablePlace: Sendable, Equatable {
    case archive(FilePath)
    case folder(AccountLocation)
    case snapshot(SnapshotName)
    /// With the prefix of the account, where a folder has several.
    case store(StoreName, prefix: String?)

    /// Looks what is there.
    /// - Throws: as ``AccountPlace/find(_:prefix:fileSystem:)``, ``SnapshotName/find(_:)`` and ``StoreName/find(_:)``.
    static func find(_ path: FilePath, prefix: String? = nil) throws -> ReadablePlace {
        if let stored = try StoreName.find(path) { return .store(stored, prefix: prefix) }
        if let snapshot = try SnapshotName.find(path) { return .snapshot(snapshot) }
        switch try AccountPlace.find(path, prefix: prefix) {
        case .archive(let path): return .archive(path)
        case .folder(let location): return .folder(location)
        }
    }
}
