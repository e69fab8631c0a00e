package import NIOCore
import ValiseCryptography
package import ValiseSecrets
package import ValiseXFTPWire

extension RelayConnection {
    /// Receives a chunk.
    ///
    /// The pieces are handed on before the chunk is proven: whoever keeps them has to drop them when this throws. As
    /// long as one is not taken, the relay sends no more than some 300 KiB.
    ///
    /// - Parameters:
    ///   - recipient: the chunk's name.
    ///   - key: the recipient's.
    ///   - size: of the chunk, in bytes. Nothing else is accepted.
    ///   - digest: SHA-256 of the chunk.
    ///   - sink: gets the pieces in their order, with their offset in the chunk.
    /// - Throws: ``XFTPClientError``: `damagedChunk` for another tag, size or digest; `CancellationError`; what `sink`
    ///   throws.
    package func download(
        _ recipient: EntityID, key: SecretSeed, size: Int, digest: [UInt8],
        into sink: (_ piece: ByteBuffer, _ offset: Int) async throws -> Void
    ) async throws {
        let ephemeral = try SecretSeed()
        let command = XFTPCommand.download(PublicKey(.x25519, X25519.publicKey(of: ephemeral)))
        let block = try encode(command, recipient, key)
        try await withStream(.download) { stream in
            _ = try await stream.start(block, isAll: true)
            var (answer, received) = try await stream.takeBlock(relay)
            let response = try decode(answer, .download)
            stream.allow(options.timeouts.ofBody, timeout(.download))
            var chunk = try reception(response, ephemeral, size: size)
            while !chunk.isComplete {
                if received.readableBytes == 0 {
                    received = try await stream.take(atLeast: chunk.wanted)
                    guard received.readableBytes > 0 else { throw chunk.endedEarly }
                }
                let offset = chunk.offset
                let piece = try chunk.take(&received)
                if piece.readableBytes > 0 { try await sink(piece, offset) }
            }
            try await stream.expectEnd(after: received, relay)
            try chunk.verify(digest)
        }
    }

    /// What the relay's part of the key agreement makes possible.
    private func reception(
        _ response: XFTPResponse, _ ephemeral: SecretSeed, size: Int
    ) throws -> ChunkReception {
        guard case .file(let relayKey, let nonce) = response, relayKey.algorithm == .x25519 else {
            throw unexpected(response, .download)
        }
        let secret: SecretSeed
        do {
            secret = try X25519.sharedSecret(ephemeral, with: relayKey.bytes)
        } catch let error as SodiumError {
            throw XFTPClientError.violation(
                "key agreement with the relay failed", relay: relay, cause: error)
        }
        return try ChunkReception(secret: secret, nonce: nonce, size: size, relay: relay)
    }
}
