import ValiseConcurrency
import ValiseContentStore
import ValiseEncoding
import ValiseFailures
import ValiseRepository
import ValiseStorage

/// A store of tcfs, and what opens the files in it.
package struct StoreInput: Sendable {
    package var address: StoreAddress
    package var keys: StoreKeySource
    /// The name of this device in what is written; nil for that of the machine.
    package var device: String?
    package var access = StorageAccess()
    package var limits = TransferLimits()

    package init(_ address: StoreAddress, keys: StoreKeySource = StoreKeySource()) {
        self.address = address
        self.keys = keys
    }

    /// Looks whether the store is there, reads the keys, and asks for what is to be typed.
    /// - Throws: `StorageError`: `notFound` for a folder or a bucket that is missing; ``StoreKeySource/read(of:in:)``.
    func open(in context: OperationContext) async throws -> ContentStore {
        let objects = try address.objects(access, limits, in: context)
        // Before anybody types anything.
        try await context.blocking { progress in
            try progress(OperationProgress("opening the store"))
            // A folder that is missing, or a server that refuses, is no empty store.
            try objects.list(address.layout.index, isDelimited: true, after: nil) { _ in false }
        }
        return ContentStore(objects, address.layout, keys: try await keys.read(of: address.text, in: context))
    }

    /// Opens it and does something that blocks.
    func opened<Value: Sendable>(
        in context: OperationContext,
        _ body: @escaping @Sendable (ContentStore, ProgressHandler) throws -> Value
    ) async throws -> Value {
        let store = try await open(in: context)
        return try await context.blocking { try body(store, $0) }
    }

    /// Who writes to it.
    /// - Throws: `ContentStoreError`: `invalid` for a name that none can have.
    func identity(_ clock: @escaping @Sendable () -> Int64) throws -> WriterIdentity {
        try WriterIdentity(device: device ?? LockOwner.systemHostname, now: clock)
    }
}

extension StorePath {
    /// A path that a user named; slashes at its end do not count.
    /// - Throws: `ContentStoreError`: `invalid` for one that leads elsewhere.
    static func named(_ text: String) throws -> StorePath {
        do {
            return try StorePath(lenient: String(text.reversed().drop { $0 == "/" }.reversed()))
        } catch {
            throw ContentStoreError(.invalid, error.message, text)
        }
    }
}
