import Logging
import NIOCore
import NIOHTTP2
import NIOPosix
import ValiseXFTPWire

// MARK: How many

extension ServedConnection {
    /// Whether there is space for one more, which it then is.
    func beginTransfer(on stream: ServedStream) -> Bool {
        guard transfers < service.limits.transfersPerConnection, service.transfers.take(held: transfers)
        else { return false }
        transfers += 1
        stream.isTransfer = true
        return true
    }

    /// Makes space for those that wait, once its file is closed.
    func endTransfer(of stream: ServedStream) {
        guard stream.isTransfer, !stream.isAtWork else { return }
        stream.isTransfer = false
        transfers -= 1
        service.transfers.release()
        startCommands()
    }

    /// That may take its time, too.
    private func closeFile(of stream: ServedStream, _ close: @escaping @Sendable () -> Void) {
        onThread(for: stream, close) { [self] _ in endTransfer(of: stream) }
    }
}

// MARK: Uploads

extension ServedConnection {
    /// In bytes; what is written to the file at once.
    private static let batch = 256 << 10

    /// Gives the next bytes to a thread, or ends the upload.
    func store(_ stream: ServedStream) {
        guard case .storing(let chunk) = stream.phase, !stream.isAtWork else { return }
        if chunk.received > chunk.size { return refuse(chunk, .size, on: stream) }
        if !stream.body.isEmpty {
            guard pay(min(Self.batch, stream.body.count), .upload, on: stream, then: store) else { return }
            let pieces = stream.body.take(most: Self.batch)
            let count = pieces.reduce(0) { $0 + $1.readableBytes }
            stream.paid -= count
            work(on: chunk, stream, bytes: count) { upload in
                for piece in pieces {
                    try unsafe piece.withUnsafeReadableBytes { try unsafe upload.write($0) }
                }
            } then: { [self] in
                service.counters.update { $0.received += Int64(count) }
                store(stream)
            }
        } else if stream.hasEnded {
            work(on: chunk, stream, bytes: 0) {
                try $0.finish()
            } then: { [self] in
                answer(.done, to: chunk.request, on: stream)
            }
        }
    }

    private func work(
        on chunk: IncomingChunk, _ stream: ServedStream, bytes: Int,
        _ work: @escaping @Sendable (ChunkUpload) throws -> Void, then next: @escaping () -> Void
    ) {
        let upload = chunk.upload
        onThread(for: stream) {
            try work(upload)
        } then: { [self] result in
            unconsumed -= bytes
            if case .success = result, bytes == 0 { chunk.isStored = true }
            if stream.isClosed { return abandon(chunk, of: stream) }
            if let refusal = chunk.refusal, !chunk.isStored { return refuse(chunk, refusal, on: stream) }
            switch result {
            case .success: next()
            case .failure(let error):
                service.failures.report(error)
                log.debug("upload failed", metadata: ["error": .failure(error)])
                refuse(chunk, (error as? XFTPStoreError)?.answer ?? .fileIO, on: stream)
            }
        }
    }

    /// Answers with an error; what still comes is thrown away.
    func refuse(_ chunk: IncomingChunk, _ error: XFTPErrorCode, on stream: ServedStream) {
        chunk.refusal = error
        guard !stream.isAtWork else { return }
        abandon(chunk, of: stream)
        answer(.error(error), to: chunk.request, on: stream)
    }

    /// Removes what was stored, unless a thread has it.
    func abandon(_ chunk: IncomingChunk, of stream: ServedStream) {
        guard !stream.isAtWork, !chunk.isStored else { return }
        let upload = chunk.upload
        closeFile(of: stream) { upload.cancel() }
    }
}

// MARK: Downloads

extension ServedConnection {
    /// In bytes; what is read from the file at once.
    private static let piece: Int64 = 64 << 10
    /// Of one stream, in bytes. Two pieces: while one is sent, the next is encrypted.
    private static let mostInFlight = 2 * Int(piece)
    /// Windows below this get it nevertheless, when nothing is on its way: HTTP/2 sends it bit by bit.
    private static let leastPiece = 4096

    func begin(
        _ chunk: EncryptedChunk, answering request: AuthorizedRequest, with response: XFTPResponse,
        on stream: ServedStream
    ) {
        guard let session else { return }
        writeHeaders(on: stream, ends: false)
        write(ByteBuffer(bytes: session.answer(response, to: request)), ends: false, on: stream) { [self] in
            release(stream)
        }
        stream.phase = .sending(OutgoingChunk(chunk))
        // It may have waited for others.
        stream.started = .now()
        send(stream)
    }

    /// Makes the next piece, as far as the client's window goes.
    func send(_ stream: ServedStream) {
        guard case .sending(let chunk) = stream.phase, !stream.isAtWork, !chunk.waitsForBuffers,
            chunk.remaining > 0,
            stream.sendWindow > 0, chunk.inFlight < Self.mostInFlight
        else { return }
        var count = Int(min(Self.piece, chunk.remaining, Int64(stream.sendWindow)))
        if count < Self.leastPiece {
            guard chunk.inFlight == 0 || Int64(count) == chunk.remaining else { return }
            count = Int(min(Int64(Self.leastPiece), chunk.remaining))
        }
        guard pay(count, .download, on: stream, then: send) else { return }
        guard pieceBuffers.take(count) else {
            chunk.waitsForBuffers = true
            return lackingBuffers.append(stream)
        }
        stream.paid -= count
        read(count, of: chunk, on: stream)
    }

    private func read(_ count: Int, of chunk: OutgoingChunk, on stream: ServedStream) {
        guard let source = chunk.source else { return release(count) }
        onThread(for: stream) {
            try source.next(count)
        } then: { [self] result in
            guard !stream.isClosed else {
                abandon(chunk, of: stream)
                return release(count)
            }
            switch result {
            case .success(let bytes):
                send(bytes, count, of: chunk, on: stream)
            case .failure(let error):
                service.failures.report(error)
                release(count)
                fail(stream, error)
            }
        }
    }

    /// Ends a download in its middle. A storage server that cannot be had ends the connection, which clients take for a
    /// failure of the network and try again; of a single stream they think that the chunk is damaged.
    private func fail(_ stream: ServedStream, _ error: any Error) {
        reset(stream, .internalError)
        guard let error = error as? XFTPStoreError, error.kind == .unavailable else { return }
        context?.close(promise: nil)
    }

    /// Closes the file, unless a thread has it.
    func abandon(_ chunk: OutgoingChunk, of stream: ServedStream) {
        guard !stream.isAtWork, let source = chunk.source else { return }
        chunk.source = nil
        closeFile(of: stream) { source.close() }
    }

    private func send(_ bytes: ByteBuffer, _ count: Int, of chunk: OutgoingChunk, on stream: ServedStream) {
        chunk.remaining -= Int64(count)
        chunk.inFlight += count
        let isLast = chunk.remaining == 0
        if isLast {
            stream.phase = .answered(discarded: 0)
            chunk.source = nil
        }
        write(bytes, ends: isLast, on: stream) { [self] in
            chunk.inFlight -= count
            service.counters.update { $0.sent += Int64(count) }
            release(count)
            send(stream)
        }
        if isLast { endTransfer(of: stream) } else { send(stream) }
    }

    private func release(_ bytes: Int) {
        pieceBuffers.release(bytes)
        sendWaiting()
    }

    /// Those that waited for buffers try again, in their order.
    func sendWaiting() {
        for _ in 0..<lackingBuffers.count {
            guard let stream = lackingBuffers.popFirst() else { return }
            guard case .sending(let chunk) = stream.phase else { continue }
            chunk.waitsForBuffers = false
            send(stream)
            if chunk.waitsForBuffers { return }
        }
    }
}
