import Synchronization
import ValiseCryptography
import ValiseSecrets
import ValiseTransfers
import ValiseXFTPWire

/// A relay in memory that is as strict as a real one, and dies when it is told to.
final class MemoryRelays: ChunkRelays {
    enum Failure: Error {
        case refused(XFTPErrorCode)
        case unreachable
    }

    private struct Chunk: Sendable {
        let senderKey: [UInt8]
        let size: Int
        let digest: [UInt8]
        var recipients: [EntityID: [UInt8]]
        var content: [UInt8]?
    }

    private struct State: Sendable {
        var chunks: [EntityID: Chunk] = [:]
        var isReachable = true
        var uploads = 0
        var downloads = 0
        var beforeUpload: (@Sendable (Int) throws -> Void)?
        var beforeDownload: (@Sendable (Int) throws -> Void)?
    }

    private let state = Mutex(State())

    static let access = RelayAccess(
        XFTPAddress(fingerprint: Array(repeating: 7, count: 32), hosts: [.domain("relay.test")]))

    /// How many chunks it knows.
    var count: Int { state.withLock { $0.chunks.count } }
    /// How many chunks it has the content of. One that was registered in the moment of a crash is empty, and expires.
    var stored: Int { state.withLock { $0.chunks.values.count { $0.content != nil } } }
    var uploads: Int { state.withLock { $0.uploads } }
    var downloads: Int { state.withLock { $0.downloads } }

    func reachable(_ isReachable: Bool) { state.withLock { $0.isReachable = isReachable } }
    func expireAll() { state.withLock { $0.chunks = [:] } }

    /// - Parameter body: gets how many there were before.
    func beforeUpload(_ body: (@Sendable (Int) throws -> Void)?) {
        state.withLock { ($0.beforeUpload, $0.uploads) = (body, 0) }
    }

    func beforeDownload(_ body: (@Sendable (Int) throws -> Void)?) {
        state.withLock { ($0.beforeDownload, $0.downloads) = (body, 0) }
    }

    /// Changes what is stored, as a false relay would.
    func spoil() {
        state.withLock { state in
            for id in state.chunks.keys { state.chunks[id]?.content?[100] ^= 1 }
        }
    }

    /// A chunk that somebody else had sent.
    func put(_ content: [UInt8], _ recipient: EntityID, _ key: SecretSeed) {
        let chunk = Chunk(
            senderKey: [], size: content.count, digest: SHA256.hash(content),
            recipients: [recipient: Ed25519.publicKey(of: key)], content: content)
        state.withLock { $0.chunks[Self.newID()] = chunk }
    }

    private static func newID() -> EntityID { EntityID((0..<16).map { _ in UInt8.random(in: 0...255) })! }

    private func perform<Result: Sendable>(_ body: (inout State) throws -> Result) throws -> Result {
        try state.withLock { state in
            guard state.isReachable else { throw Failure.unreachable }
            return try body(&state)
        }
    }

    // MARK: Operations

    func create(
        _ chunk: NewChunk, key: SecretSeed, on relay: RelayAccess
    ) async throws -> (sender: EntityID, recipients: [EntityID]) {
        try perform { state in
            let recipients = chunk.recipientKeys.map { (Self.newID(), $0.bytes) }
            let sender = Self.newID()
            state.chunks[sender] = Chunk(
                senderKey: chunk.senderKey.bytes, size: Int(chunk.size), digest: chunk.digest,
                recipients: Dictionary(uniqueKeysWithValues: recipients))
            return (sender, recipients.map(\.0))
        }
    }

    func addRecipients(
        _ keys: [PublicKey], to sender: EntityID, key: SecretSeed, at relay: XFTPAddress
    ) async throws -> [EntityID] {
        throw Failure.unreachable
    }

    func upload(
        _ chunk: ChunkMemory, to sender: EntityID, key: SecretSeed, at relay: XFTPAddress
    ) async throws {
        let (number, before) = state.withLock { state in
            state.uploads += 1
            return (state.uploads - 1, state.beforeUpload)
        }
        try before?(number)
        try perform { state in
            try Self.check(state, sender, key)
            let bytes = Array(chunk.bytes)
            guard bytes.count == state.chunks[sender]?.size else { throw Failure.refused(.size) }
            if state.chunks[sender]?.content != nil { return }
            guard SHA256.hash(bytes) == state.chunks[sender]?.digest else { throw Failure.refused(.digest) }
            state.chunks[sender]?.content = bytes
        }
    }

    func download(
        _ recipient: EntityID, key: SecretSeed, digest: [UInt8], into chunk: ChunkMemory,
        from relay: XFTPAddress
    ) async throws {
        let (number, before) = state.withLock { state in
            state.downloads += 1
            return (state.downloads - 1, state.beforeDownload)
        }
        try before?(number)
        try perform { state in
            let (_, found) = try Self.find(state, recipient, key)
            guard let content = found.content else { throw Failure.refused(.noFile) }
            // As the client does, which gives such a relay up.
            guard content.count == chunk.count, SHA256.hash(content) == digest else {
                throw Failure.unreachable
            }
            chunk.bytes.copyBytes(from: content)
        }
    }

    func acknowledge(_ recipient: EntityID, key: SecretSeed, at relay: XFTPAddress) async throws {
        try perform { state in
            let (id, _) = try Self.find(state, recipient, key)
            state.chunks[id]?.recipients[recipient] = nil
        }
    }

    func delete(_ sender: EntityID, key: SecretSeed, at relay: XFTPAddress) async throws {
        try perform { state in
            try Self.check(state, sender, key)
            state.chunks[sender] = nil
        }
    }

    private static func check(_ state: State, _ sender: EntityID, _ key: SecretSeed) throws {
        guard state.chunks[sender]?.senderKey == Ed25519.publicKey(of: key) else {
            throw Failure.refused(.auth)
        }
    }

    private static func find(
        _ state: State, _ recipient: EntityID, _ key: SecretSeed
    ) throws -> (EntityID, Chunk) {
        let publicKey = Ed25519.publicKey(of: key)
        guard let found = state.chunks.first(where: { $0.value.recipients[recipient] == publicKey }) else {
            throw Failure.refused(.auth)
        }
        return (found.key, found.value)
    }

    func trouble(_ error: any Error) -> RelayProblem {
        switch error as? Failure {
        case .refused(let code): .refused(code)
        case .unreachable: .unusable
        case nil: .fatal
        }
    }
}
