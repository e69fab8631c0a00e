import Synchronization
import ValiseCryptography
import ValiseFailures
import ValiseFiles
import ValiseStorage

/// A store as a file provider of an operating system calls it: the interface that tcfs asks for in its RFC 0003.
///
/// Items are named by their paths. All calls block and may come from several threads; a call that reports progress is cancelled
/// by what its closure throws, which it throws on. Whatever the size of a file, at most 32 MiB of it are in memory.
public final class StoreProvider: Sendable {
    private struct State {
        var writer: StoreWriter?
        var synced = 0
        var pending = 0
        var lastError: String?
    }

    let configuration: ProviderConfiguration
    let store: ContentStore
    private let identity: WriterIdentity
    private let state = Mutex(State())

    /// Opens a store, and finds out whether it is reached.
    /// - Throws: ``ProviderError``
    package init(_ configuration: ProviderConfiguration) throws {
        self.configuration = configuration
        store = ContentStore(
            configuration.objects, StoreLayout(prefix: configuration.prefix), keys: configuration.keys,
            rules: configuration.rules)
        identity = try ProviderError.naming {
            try WriterIdentity(device: configuration.device, now: configuration.now)
        }
        try ProviderError.naming { [store] in
            try BLAKE3Library.load()
            try store.list { _ in false }
        }
    }

    /// What writes; whether the store holds conditions is asked once, when it is needed.
    func writer() throws -> StoreWriter {
        if let writer = state.withLock({ $0.writer }) { return writer }
        let writer = try StoreWriter(store, identity, configuration.style)
        state.withLock { $0.writer = writer }
        return writer
    }

    /// - Throws: ``ContentStoreError``: `invalid`.
    static func path(_ identifier: String) throws -> StorePath {
        do throws(ContentStoreError) {
            return try StorePath(lenient: identifier)
        } catch {
            throw ContentStoreError(.invalid, error.message, identifier)
        }
    }

    // MARK: Status

    /// Does something and remembers why it failed.
    func call<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try ProviderError.naming(body)
        } catch {
            if let error = error as? ProviderError { state.withLock { $0.lastError = error.description } }
            throw error
        }
    }

    /// The same for a file that is moved.
    func transfer<Result>(_ body: () throws -> Result) throws -> Result {
        state.withLock { $0.pending += 1 }
        defer { state.withLock { $0.pending -= 1 } }
        let result = try call(body)
        state.withLock { $0.synced += 1 }
        return result
    }

    /// Whether the store is reached at this moment, and what was done.
    public func syncStatus() -> ProviderStatus {
        var isConnected = false
        do {
            try call { try store.list { _ in false } }
            isConnected = true
        } catch {
            // The status has it.
        }
        return state.withLock { state in
            ProviderStatus(
                isConnected: isConnected, filesSynced: state.synced, filesPending: state.pending,
                lastError: state.lastError)
        }
    }
}
