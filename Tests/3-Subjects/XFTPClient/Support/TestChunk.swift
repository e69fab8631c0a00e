import FaultInjection
import NIOCore
import Synchronization
import ValiseCryptography
import ValiseSecrets
import ValiseXFTPClient
import ValiseXFTPWire

/// A chunk of random bytes with its keys, and what a test does with it on a relay.
struct TestChunk: Sendable {
    static let smallest = 65_536

    let content: [UInt8]
    let senderKey: SecretSeed
    let recipientKeys: [SecretSeed]
    var sender = EntityID([1])!
    var recipients: [EntityID] = []

    init(size: Int = smallest, seed: UInt64 = 1, recipients: Int = 1) throws {
        var random = SeededGenerator(seed: seed &+ UInt64(size))
        content = (0..<size / 8).flatMap { _ in withUnsafeBytes(of: random.next(), Array.init) }
        senderKey = try SecretSeed()
        recipientKeys = try (0..<recipients).map { _ in try SecretSeed() }
    }

    var digest: [UInt8] { SHA256.hash(content) }

    func newChunk(password: String? = nil) -> NewChunk {
        NewChunk(
            senderKey: senderKey.publicKey, size: UInt32(content.count), digest: digest,
            recipientKeys: recipientKeys.map(\.publicKey), password: password.map(RelayPassword.init))
    }

    /// Registered.
    static func created(
        on connection: RelayConnection, size: Int = smallest, seed: UInt64 = 1, recipients: Int = 1
    ) async throws -> TestChunk {
        var chunk = try TestChunk(size: size, seed: seed, recipients: recipients)
        (chunk.sender, chunk.recipients) = try await connection.create(
            chunk.newChunk(), key: chunk.senderKey)
        return chunk
    }

    func upload(_ connection: RelayConnection, pieceSize: Int = 65_536) async throws {
        let content = content
        try await connection.upload(sender, key: senderKey, size: content.count) { offset in
            ByteBuffer(bytes: content[offset..<min(offset + pieceSize, content.count)])
        }
    }

    func download(
        _ connection: RelayConnection, _ recipient: Int = 0, pause: Duration? = nil
    ) async throws -> [UInt8] {
        let received = Mutex<[UInt8]>([])
        try await connection.download(
            recipients[recipient], key: recipientKeys[recipient], size: content.count, digest: digest
        ) { piece, offset in
            received.withLock { bytes in
                precondition(bytes.count == offset, "a piece at another place")
                bytes += piece.readableBytesView
            }
            if let pause { try await Task.sleep(for: pause) }
        }
        return received.withLock { $0 }
    }

    /// Whether a download gives the content. Two arrays in an expectation that fails would be compared for minutes.
    func comesBack(_ connection: RelayConnection, _ recipient: Int = 0) async throws -> Bool {
        try await download(connection, recipient) == content
    }

    /// Registered and uploaded.
    static func stored(
        on connection: RelayConnection, size: Int = smallest, seed: UInt64 = 1, recipients: Int = 1
    ) async throws -> TestChunk {
        let chunk = try await created(on: connection, size: size, seed: seed, recipients: recipients)
        try await chunk.upload(connection)
        return chunk
    }
}

extension SecretSeed {
    var publicKey: PublicKey { PublicKey(.ed25519, Ed25519.publicKey(of: self)) }
}

/// Runs `body` with a connection and closes it.
func withConnection<Result>(
    to address: XFTPAddress, _ options: RelayConnectionOptions = RelayConnectionOptions(),
    _ body: (RelayConnection) async throws -> Result
) async throws -> Result {
    let connection = try await RelayConnection.connect(to: address, options)
    do {
        let result = try await body(connection)
        await connection.close()
        return result
    } catch {
        await connection.close()
        throw error
    }
}

/// The failure of `body`, for a test to look at.
func failure(of body: () async throws -> Void) async -> XFTPClientError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? XFTPClientError
    }
}
