import Synchronization
import ValiseCryptography
import ValiseSecrets
import ValiseTransfers
import ValiseXFTPWire

/// Relays in memory that count what is asked of them, and fail when they are told to.
final class FakeRelays: ChunkRelays {
    enum Operation: String, Sendable, CaseIterable {
        case create, addRecipients, upload, download, acknowledge, delete
    }

    enum Failure: Error, Equatable {
        case temporary
        case refused(XFTPErrorCode)
        case unusable
        /// The process died.
        case killed
    }

    struct Chunk: Sendable {
        let relay: XFTPAddress
        let senderKey: [UInt8]
        let size: Int
        let digest: [UInt8]
        var recipients: [EntityID: [UInt8]]
        var content: [UInt8]?
        /// How often its content arrived.
        var arrivals = 0
    }

    struct State: Sendable {
        var chunks: [EntityID: Chunk] = [:]
        var counts: [Operation: Int] = [:]
        var deleted = 0
        var alive = true
    }

    let state = Mutex(State())
    /// Is asked before each operation, with how many there were before, and may throw.
    private let before: @Sendable (Operation, XFTPAddress, Int) throws -> Void
    /// The same after it was done and before the answer arrives.
    private let after: @Sendable (Operation, XFTPAddress, Int) throws -> Void

    init(
        before: @escaping @Sendable (Operation, XFTPAddress, Int) throws -> Void = { _, _, _ in },
        after: @escaping @Sendable (Operation, XFTPAddress, Int) throws -> Void = { _, _, _ in }
    ) {
        self.before = before
        self.after = after
    }

    /// The same relays, whose chunks are still there, for another process.
    convenience init(
        after previous: FakeRelays,
        before: @escaping @Sendable (Operation, XFTPAddress, Int) throws -> Void = { _, _, _ in }
    ) {
        self.init(before: before)
        let chunks = previous.state.withLock { $0.chunks }
        let deleted = previous.state.withLock { $0.deleted }
        state.withLock { ($0.chunks, $0.deleted) = (chunks, deleted) }
    }

    var operations: Int { state.withLock { $0.counts.values.reduce(0, +) } }
    func count(_ operation: Operation) -> Int { state.withLock { $0.counts[operation] ?? 0 } }
    var chunks: [Chunk] { state.withLock { Array($0.chunks.values) } }
    var stored: [Chunk] { chunks.filter { $0.content != nil } }

    /// A chunk that somebody else had sent.
    func put(_ content: [UInt8], relay: XFTPAddress, recipients: [EntityID: SecretSeed]) {
        let chunk = Chunk(
            relay: relay, senderKey: [], size: content.count, digest: SHA256.hash(content),
            recipients: recipients.mapValues(Ed25519.publicKey), content: content)
        state.withLock { $0.chunks[Self.newID()] = chunk }
    }

    /// Changes what is stored, as a false relay would.
    func spoil(_ change: (inout [UInt8]) -> Void) {
        state.withLock { state in
            for id in state.chunks.keys {
                if var content = state.chunks[id]?.content {
                    change(&content)
                    state.chunks[id]?.content = content
                }
            }
        }
    }

    func expireAll() { state.withLock { $0.chunks = [:] } }

    private static func newID() -> EntityID {
        EntityID((0..<16).map { _ in UInt8.random(in: 0...255) })!
    }

    private func perform<Result: Sendable>(
        _ operation: Operation, _ relay: XFTPAddress, _ body: (inout State) throws -> Result
    ) throws -> Result {
        let number = state.withLock { state in
            defer { state.counts[operation, default: 0] += 1 }
            return state.counts.values.reduce(0, +)
        }
        try before(operation, relay, number)
        let result = try state.withLock { try body(&$0) }
        try after(operation, relay, number)
        return result
    }

    // MARK: Operations

    func create(
        _ chunk: NewChunk, key: SecretSeed, on relay: RelayAccess
    ) async throws -> (sender: EntityID, recipients: [EntityID]) {
        try perform(.create, relay.address) { state in
            guard chunk.senderKey.bytes == Ed25519.publicKey(of: key) else { throw Failure.refused(.auth) }
            let recipients = chunk.recipientKeys.map { (Self.newID(), $0.bytes) }
            let sender = Self.newID()
            state.chunks[sender] = Chunk(
                relay: relay.address, senderKey: chunk.senderKey.bytes, size: Int(chunk.size),
                digest: chunk.digest, recipients: Dictionary(uniqueKeysWithValues: recipients))
            return (sender, recipients.map(\.0))
        }
    }

    func addRecipients(
        _ keys: [PublicKey], to sender: EntityID, key: SecretSeed, at relay: XFTPAddress
    ) async throws -> [EntityID] {
        try perform(.addRecipients, relay) { state in
            try Self.check(state, sender, key, relay)
            return keys.map { key in
                let id = Self.newID()
                state.chunks[sender]?.recipients[id] = key.bytes
                return id
            }
        }
    }

    func upload(
        _ chunk: ChunkMemory, to sender: EntityID, key: SecretSeed, at relay: XFTPAddress
    ) async throws {
        try perform(.upload, relay) { state in
            try Self.check(state, sender, key, relay)
            let bytes = Array(chunk.bytes)
            guard bytes.count == state.chunks[sender]?.size else { throw Failure.refused(.size) }
            state.chunks[sender]?.arrivals += 1
            if state.chunks[sender]?.content != nil { return }
            guard SHA256.hash(bytes) == state.chunks[sender]?.digest else { throw Failure.refused(.digest) }
            state.chunks[sender]?.content = bytes
        }
    }

    func download(
        _ recipient: EntityID, key: SecretSeed, digest: [UInt8], into chunk: ChunkMemory,
        from relay: XFTPAddress
    ) async throws {
        try perform(.download, relay) { state in
            let (_, found) = try Self.find(state, recipient, key, relay)
            guard let content = found.content else { throw Failure.refused(.noFile) }
            guard content.count == chunk.count, SHA256.hash(content) == digest else { throw Failure.unusable }
            chunk.bytes.copyBytes(from: content)
        }
    }

    func acknowledge(_ recipient: EntityID, key: SecretSeed, at relay: XFTPAddress) async throws {
        try perform(.acknowledge, relay) { state in
            let (id, _) = try Self.find(state, recipient, key, relay)
            state.chunks[id]?.recipients[recipient] = nil
        }
    }

    func delete(_ sender: EntityID, key: SecretSeed, at relay: XFTPAddress) async throws {
        try perform(.delete, relay) { state in
            try Self.check(state, sender, key, relay)
            state.chunks[sender] = nil
            state.deleted += 1
        }
    }

    private static func check(
        _ state: State, _ sender: EntityID, _ key: SecretSeed, _ relay: XFTPAddress
    ) throws {
        guard let chunk = state.chunks[sender], chunk.relay == relay,
            chunk.senderKey == Ed25519.publicKey(of: key)
        else { throw Failure.refused(.auth) }
    }

    private static func find(
        _ state: State, _ recipient: EntityID, _ key: SecretSeed, _ relay: XFTPAddress
    ) throws -> (EntityID, Chunk) {
        let publicKey = Ed25519.publicKey(of: key)
        guard
            let found = state.chunks.first(where: {
                $0.value.relay == relay && $0.value.recipients[recipient] == publicKey
            })
        else { throw Failure.refused(.auth) }
        return (found.key, found.value)
    }

    func trouble(_ error: any Error) -> RelayProblem {
        switch error as? Failure {
        case .temporary: .temporary
        case .refused(let code): .refused(code)
        case .unusable: .unusable
        case .killed, nil: .fatal
        }
    }
}
