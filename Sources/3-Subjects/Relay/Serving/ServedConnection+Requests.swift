import Logging
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import ValiseXFTPWire

extension ServedConnection {
    // MARK: Frames

    func receive(_ headers: HPACKHeaders, ends: Bool, on id: HTTP2StreamID) {
        if let stream = streams[id] {  // trailers
            if ends { finishBody(of: stream) }
            return
        }
        if untoldEnds.contains(where: { $0.id == id }) { return }  // trailers, too
        lastRequest = .now()
        let stream = ServedStream(id: id, headers: RequestHeaders(headers, isWeb: isWeb))
        stream.sendWindow = peerWindow
        streams[id] = stream
        guard !isEnding, hold(XFTPBlock.size, for: stream) else { return reset(stream, .refusedStream) }
        if ends { finishBody(of: stream) }
    }

    /// - Parameter padding: bytes that the client sent beside these.
    func receive(_ bytes: ByteBuffer, padding: Int, ends: Bool, on stream: ServedStream) {
        if case .head(var head) = stream.phase {
            var bytes = bytes
            let missing = XFTPBlock.size - head.count
            stream.phase = .head([])  // so that the bytes are not copied
            head.append(
                contentsOf: bytes.readSlice(length: min(missing, bytes.readableBytes))!.readableBytesView)
            stream.phase = .head(head)
            if head.count == XFTPBlock.size { decide(stream, head) }
            receiveBody(bytes, on: stream)
        } else {
            receiveBody(bytes, on: stream)
        }
        if padding > 0, case .answered(let discarded) = stream.phase {
            discard(discarded + padding, on: stream)
        }
        if ends { finishBody(of: stream) }
    }

    private func receiveBody(_ bytes: ByteBuffer, on stream: ServedStream) {
        let count = bytes.readableBytes
        guard count > 0, !stream.isClosed else { return }
        stream.progress += count
        switch stream.phase {
        case .working(hasBody: true):
            stream.body.append(bytes)
            unconsumed += count
        case .storing(let chunk):
            stream.body.append(bytes)
            unconsumed += count
            chunk.received += Int64(count)
            store(stream)
        case .comparing(let size, let received, let request):
            stream.phase = .comparing(size: size, received: received + Int64(count), request)
        case .answered(let discarded):
            discard(discarded + count, on: stream)
        case .head, .complete, .working, .sending:
            break  // commands without a body, and it is ignored
        }
    }

    private func discard(_ bytes: Int, on stream: ServedStream) {
        stream.phase = .answered(discarded: bytes)
        if bytes > service.limits.discardedBytes { reset(stream, .noError) }
    }

    private func finishBody(of stream: ServedStream) {
        guard !stream.hasEnded, !stream.isClosed else { return }
        stream.hasEnded = true
        stream.receiveWindow = nil
        if case .head(let head) = stream.phase { decide(stream, head) }
        switch stream.phase {
        case .complete(let action):
            perform(action, on: stream)
        case .storing:
            store(stream)
        case .comparing(let size, let received, let request):
            answer(received < size ? .error(.size) : .done, to: request, on: stream)
        case .head, .working, .sending, .answered:
            break
        }
    }

    // MARK: Actions

    /// The block is there, or the body was shorter.
    private func decide(_ stream: ServedStream, _ head: [UInt8]) {
        guard session != nil, stream.headers.method == .post else {
            return stream.phase = .complete(.respond([]))
        }
        let request = RelaySession.Request(
            head: head, hasHelloHeader: stream.headers.hasHello,
            hasHandshakeHeader: stream.headers.hasHandshake)
        do {
            let action = try session!.receive(request)
            stream.phase = .complete(action)
            // Only this command needs its body, and may be refused before it comes.
            if case .command(let command) = action, command.command == .upload { perform(action, on: stream) }
        } catch {
            log.error("handshake failed", metadata: ["error": .failure(error)])
            reset(stream, .internalError)
        }
    }

    private func perform(_ action: RelaySession.Action, on stream: ServedStream) {
        switch action {
        case .respond(let block):
            respond(block, on: stream)
        case .command(let request):
            stream.phase = .working(hasBody: request.command == .upload)
            switch request.command {
            case .upload:
                guard beginTransfer(on: stream) else { return reset(stream, .refusedStream) }
                waiting.append((stream, request))
            case .download: waitingDownloads.append((stream, request))
            default: waiting.append((stream, request))
            }
            startCommands()
        }
    }

    func startCommands() {
        while let (stream, request) = waitingDownloads.first, beginTransfer(on: stream) {
            waitingDownloads.removeFirst()
            waiting.append((stream, request))
        }
        while running < service.limits.commandsPerConnection, let (stream, request) = waiting.popFirst() {
            start(request, on: stream)
        }
    }

    private func start(_ request: AuthorizedRequest, on stream: ServedStream) {
        guard let session else { return }
        running += 1
        let start = ContinuousClock.now
        onThread(for: stream) { [service, allowance] in
            defer { service.compactWhereUrgent() }
            return service.executor.execute(request, in: session, allowance)
        } then: { [self] result in
            running -= 1
            service.counters.update { $0.commands += 1 }
            service.metrics.note(request.command, took: .now - start)
            finish(request, (try? result.get()) ?? .answer(.error(.internal)), on: stream)
            startCommands()
        }
    }

    /// Runs what blocks on a thread, and then comes back, also when the connection has gone meanwhile.
    func onThread<Result: Sendable>(
        for stream: ServedStream, _ work: @escaping @Sendable () throws -> Result,
        then next: @escaping (Swift.Result<Result, any Error>) -> Void
    ) {
        guard let eventLoop else { return }
        stream.isAtWork = true
        service.threads.runIfActive(eventLoop: eventLoop, work).assumeIsolated().whenComplete {
            [self] result in
            stream.isAtWork = false
            next(result)
            // Whatever had its file has given it back.
            if stream.isClosed { endTransfer(of: stream) }
            settle()
        }
    }

    private func finish(
        _ request: AuthorizedRequest, _ outcome: CommandExecutor.Outcome, on stream: ServedStream
    ) {
        switch outcome {
        case .answer(let response):
            answer(response, to: request, on: stream)
        case .store(let upload, let size):
            let chunk = IncomingChunk(upload, size: size, request: request)
            guard !stream.isClosed else { return abandon(chunk, of: stream) }
            chunk.received = Int64(stream.body.count)
            stream.phase = .storing(chunk)
            widenWindow()
            store(stream)
        case .compare(let size):
            guard !stream.isClosed else { return }
            let received = Int64(stream.body.count)
            dropBody(of: stream)
            stream.phase = .comparing(size: size, received: received, request)
            if stream.hasEnded { answer(received < size ? .error(.size) : .done, to: request, on: stream) }
        case .send(let response, let chunk):
            guard !stream.isClosed else { return abandon(OutgoingChunk(chunk), of: stream) }
            begin(chunk, answering: request, with: response, on: stream)
        }
    }

    /// After something that did not come from the network.
    func settle() {
        returnWindows()
        context?.flush()
        closeWhenDone()
    }
}

extension RequestHeaders {
    /// Only web pages are told apart by their headers.
    init(_ headers: HPACKHeaders, isWeb: Bool) {
        guard isWeb else { return }
        hasHello = headers.contains(name: "xftp-web-hello")
        hasHandshake = headers.contains(name: "xftp-handshake")
        switch headers.first(name: ":method") {
        case "GET", "HEAD": method = .get
        case "OPTIONS": method = .options
        default: break
        }
    }
}
