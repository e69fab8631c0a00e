public import NIOCore
public import Secrets
public import XFTPWire

extension RelayConnection {
    /// Sends a chunk's content. It is asked for piece by piece, as fast as the relay takes it.
    ///
    /// A relay that refuses answers before it has read all; then the connection takes no further requests, because some
    /// relays never give back what the unread bytes take of it.
    ///
    /// - Parameters:
    ///   - sender: the chunk's name.
    ///   - key: the sender's.
    ///   - size: as it was registered, in bytes.
    ///   - body: gives the piece that begins at the offset, of any size; 64 KiB are good. Pieces are asked for one after
    ///     the other. More than `size` bytes, or an empty piece before, ends with `wrongBody`.
    /// - Throws: ``XFTPClientError``; `CancellationError`; what `body` throws.
    public func upload(
        _ sender: EntityID, key: SecretSeed, size: Int,
        body: (_ offset: Int) async throws -> ByteBuffer
    ) async throws {
        let block = try encode(.upload, sender, key)
        let response = try await withStream(.upload) { stream in
            var isWanted = try await stream.start(block, isAll: size == 0)
            var offset = 0
            while isWanted, offset < size {
                let piece = try await body(offset)
                try check(piece.readableBytes, offset, size)
                offset += piece.readableBytes
                isWanted = try await stream.send(piece, isLast: offset == size)
            }
            let isComplete = offset == size
            if !isComplete { retire() }
            let (answer, rest) = try await stream.takeBlock(relay)
            let response = try decodeUploadAnswer(answer)
            guard isComplete else { throw unexpected(response, .upload) }
            try await stream.expectEnd(after: rest, relay)
            return response
        }
        try expectDone(response, .upload)
    }

    /// Only of a wrong digest it is known that all bytes were read.
    private func decodeUploadAnswer(_ answer: [UInt8]) throws -> XFTPResponse {
        do {
            return try decode(answer, .upload)
        } catch let error as XFTPClientError {
            if error.kind != .refused(.digest) { retire() }
            throw error
        }
    }

    private func check(_ count: Int, _ offset: Int, _ size: Int) throws {
        guard count == 0 || count > size - offset else { return }
        throw XFTPClientError(
            .wrongBody,
            "the chunk's content is not the \(size) bytes that were announced; nothing of it is kept",
            relay: relay)
    }
}
