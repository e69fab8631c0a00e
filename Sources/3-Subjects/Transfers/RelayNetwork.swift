import NIOCore
package import ValiseSecrets
package import ValiseXFTPClient
package import ValiseXFTPWire

/// Relays over the network, one connection to each. ``close()`` has to be called in the end.
package final class RelayNetwork: ChunkRelays {
    private let pool: RelayPool

    private static let pieceSize = 64 << 10

    package init(_ options: RelayConnectionOptions = RelayConnectionOptions()) {
        pool = RelayPool(options)
    }

    /// Closes all connections.
    package func close() async { await pool.close() }

    package func create(
        _ chunk: NewChunk, key: SecretSeed, on relay: RelayAccess
    ) async throws -> (sender: EntityID, recipients: [EntityID]) {
        var chunk = chunk
        chunk.password = relay.password
        return try await pool.withConnection(to: relay.address) { [chunk] connection in
            try await connection.create(chunk, key: key)
        }
    }

    package func addRecipients(
        _ keys: [PublicKey], to sender: EntityID, key: SecretSeed, at relay: XFTPAddress
    ) async throws -> [EntityID] {
        try await pool.withConnection(to: relay) { connection in
            try await connection.addRecipients(keys, to: sender, key: key)
        }
    }

    package func upload(
        _ chunk: ChunkMemory, to sender: EntityID, key: SecretSeed, at relay: XFTPAddress
    ) async throws {
        try await pool.withTransfer(to: relay) { connection in
            try await connection.upload(sender, key: key, size: chunk.count) { offset in
                let end = min(offset + Self.pieceSize, chunk.count)
                return unsafe ByteBuffer(bytes: UnsafeRawBufferPointer(chunk.bytes)[offset..<end])
            }
        }
    }

    package func download(
        _ recipient: EntityID, key: SecretSeed, digest: [UInt8], into chunk: ChunkMemory,
        from relay: XFTPAddress
    ) async throws {
        try await pool.withTransfer(to: relay) { connection in
            try await connection.download(recipient, key: key, size: chunk.count, digest: digest) {
                piece, offset in
                unsafe piece.withUnsafeReadableBytes { bytes in
                    unsafe UnsafeMutableRawBufferPointer(rebasing: chunk.bytes[offset...]).copyMemory(
                        from: bytes)
                }
            }
        }
    }

    package func acknowledge(_ recipient: EntityID, key: SecretSeed, at relay: XFTPAddress) async throws {
        try await pool.withConnection(to: relay) { try await $0.acknowledge(recipient, key: key) }
    }

    package func delete(_ sender: EntityID, key: SecretSeed, at relay: XFTPAddress) async throws {
        try await pool.withConnection(to: relay) { try await $0.delete(sender, key: key) }
    }

    package func trouble(_ error: any Error) -> RelayProblem {
        guard let error = error as? XFTPClientError else { return .fatal }
        if error.kind == .connectionRefused { return .absent }
        if error.isTemporary { return .temporary }
        if case .refused(let code) = error.kind { return .refused(code) }
        return .unusable
    }
}
