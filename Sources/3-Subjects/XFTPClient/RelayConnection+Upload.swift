package import NIOCore
import ValiseEncoding
package import ValiseSecrets
package import ValiseXFTPWire

extension RelayConnection {
    /// Sends a chunk's content. It is asked for piece by piece, as fast as the relay takes it.
    ///
    /// A relay that refuses answers before it has read all. After that, and after an upload that was abandoned, the
    /// connection takes no further requests: what nobody read of the content stays charged to it (XFTP fact sheet, §12a).
    ///
    /// - Parameters:
    ///   - sender: the chunk's name.
    ///   - key: the sender's.
    ///   - size: as it was registered, in bytes.
    ///   - body: gives the piece that begins at the offset, of any size; 64 KiB are good. Pieces are asked for one after
    ///     the other. More than `size` bytes, or an empty piece before, ends with `wrongBody`.
    /// - Throws: ``XFTPClientError``; `CancellationError`; what `body` throws.
    package func upload(
        _ sender: EntityID, key: SecretSeed, size: Int,
        body: (_ offset: Int) async throws -> ByteBuffer
    ) async throws {
        let block = try encode(.upload, sender, key)
        let response = try await withStream(.upload) { stream in
            do {
                return try await send(block, size, body, over: stream)
            } catch let error as XFTPClientError where error.kind == .busy || error.kind == .refused(.digest)
            {
                // Of these it is known that the relay took all that came.
                throw error
            } catch {
                retire()
                throw error
            }
        }
        try expectDone(response, .upload)
    }

    private func send(
        _ block: [UInt8], _ size: Int, _ body: (_ offset: Int) async throws -> ByteBuffer,
        over stream: RelayStream
    ) async throws -> XFTPResponse {
        var isWanted = try await stream.start(block, isAll: size == 0)
        var offset = 0
        while isWanted, offset < size {
            let piece = try await body(offset)
            try check(piece.readableBytes, offset, size)
            offset += piece.readableBytes
            isWanted = try await stream.send(piece, isLast: offset == size)
        }
        let (answer, rest) = try await stream.takeBlock(relay)
        let response = try decode(answer, .upload)
        guard offset == size else { throw unexpected(response, .upload) }
        try await stream.expectEnd(after: rest, relay)
        return response
    }

    private func check(_ count: Int, _ offset: Int, _ size: Int) throws {
        guard count == 0 || count > size - offset else { return }
        throw XFTPClientError(
            .wrongBody,
            "the chunk does not have the announced \(Count.text(size, "byte")). Nothing was stored.",
            relay: relay)
    }
}
