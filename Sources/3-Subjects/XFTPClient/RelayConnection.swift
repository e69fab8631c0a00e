import NIOCore
import NIOHTTP2
import Synchronization
package import ValiseXFTPWire

/// A connection to one relay, over which any number of requests go, some of them at a time.
///
/// When it ends, every request under way fails with ``XFTPClientError``. ``close()`` has to be called in the end.
package final class RelayConnection: Sendable {
    /// Whose it is.
    package let address: XFTPAddress
    let relay: String
    let options: RelayConnectionOptions
    let channel: any Channel
    private let multiplexer: NIOHTTP2Handler.StreamMultiplexer
    private let authority: String
    private let health: ConnectionHealth
    private let transfers: StreamSlots
    private let uploads: StreamSlots
    private let unanswered: StreamSlots
    private let watch: NIOLoopBound<UploadWatch>
    private let resets = Mutex(ResetAllowance())
    private let agreed = Mutex<ClientSession?>(nil)

    init(_ opened: OpenedConnection, _ address: XFTPAddress, _ options: RelayConnectionOptions) {
        self.address = address
        self.options = options
        relay = address.relayName
        channel = opened.channel
        multiplexer = opened.multiplexer
        authority = address.host(throughProxy: options.proxy != nil).bracketedText
        health = opened.health
        transfers = StreamSlots(options.parallelStreams)
        uploads = StreamSlots(options.parallelUploads)
        unanswered = StreamSlots(options.unansweredRequests)
        watch = opened.watch
    }

    /// Whether it takes new requests. It does not after a time-out, after an answer that came before an upload was
    /// complete, and once either side closes it.
    package var isUsable: Bool { health.isUsable && channel.isActive }

    /// Closes it and waits until it is. Requests under way fail.
    package func close() async {
        health.retire()
        try? await channel.close()
    }

    /// Takes no more requests, and is closed when those under way are done.
    func retire() {
        if health.retire() { channel.close(promise: nil) }
    }

    // MARK: Session

    /// What the handshake came to, once and for all.
    func begin(_ session: ClientSession) { agreed.withLock { $0 = session } }

    var session: ClientSession {
        get throws {
            guard let session = agreed.withLock({ $0 }) else {
                throw XFTPClientError.violation("no handshake took place", relay: relay)
            }
            return session
        }
    }

    // MARK: Requests

    /// Makes one request on a stream of its own, as soon as the relay can work on it.
    ///
    /// - Throws: ``XFTPClientError``; `CancellationError`; what `body` throws.
    func withStream<Answer>(
        _ request: Request, _ body: (RelayStream) async throws -> Answer
    ) async throws -> Answer {
        switch request {
        case .upload:
            try await transfers.withSlot { try await uploads.withSlot { try await ask(request, body) } }
        case .download: try await transfers.withSlot { try await ask(request, body) }
        // Small ones wait for no chunk to arrive.
        case .handshake, .create, .addRecipients, .acknowledge, .delete, .ping:
            try await ask(request, body)
        }
    }

    private func ask<Answer>(
        _ request: Request, _ body: (RelayStream) async throws -> Answer
    ) async throws -> Answer {
        let place = try await unanswered.hold()
        defer { place.release() }
        guard health.begin() else { throw health.failure?.beforeSending ?? .retired(relay: relay) }
        defer { done() }
        let stream = try await open(request, whenAnswered: place.release)
        defer { finish(stream) }
        stream.allow(options.timeouts.ofAnswer, timeout(request))
        do {
            let answer = try await withTaskCancellationHandler {
                try await body(stream)
            } onCancel: {
                stream.fail(with: CancellationError())
            }
            health.taken()
            return answer
        } catch let error as XFTPClientError where error.kind == .busy {
            transfers.limit { $0 - 1 }
            if health.refused() { retire() }
            throw error
        }
    }

    /// What a request fails with when its time is over; the connection goes with it, as it may be dead.
    func timeout(_ request: Request) -> @Sendable () -> any Error {
        { [relay, weak self] in
            self?.retire()
            return XFTPClientError.timeout(request, relay: relay)
        }
    }

    private func open(
        _ request: Request, whenAnswered: @escaping @Sendable () -> Void
    ) async throws -> RelayStream {
        let (health, watch) = (health, watch)
        let authority = authority
        let loop = channel.eventLoop
        let stream = loop.makePromise(of: RelayStream.self)
        let parent = channel
        let opened = multiplexer.createStreamChannel { channel in
            loop.makeCompletedFuture {
                // Nobody would tell a stream that is made now of the connection's end.
                guard parent.isActive else { throw health.reasonOfLoss }
                let made = try RelayStream(
                    channel, authority: authority, health: health,
                    watch: request == .upload ? watch.value : nil,
                    whenAnswered: whenAnswered)
                stream.succeed(made)
            }
        }
        opened.whenFailure { stream.fail($0) }
        do {
            return try await stream.futureResult.get()
        } catch {
            throw error as? XFTPClientError ?? health.reasonOfLoss
        }
    }

    /// Streams that were abandoned take space at the relay until they may be reset. Where that takes longer than this, a new
    /// connection is better: with the previous one all of them end.
    private static let longestReset: TimeAmount = .seconds(2)

    private func finish(_ stream: RelayStream) {
        stream.finish { [weak self] now in
            let next = self?.resets.withLock { $0.nextTime(now: now.uptimeNanoseconds) }
            guard let time = next.map({ NIODeadline.uptimeNanoseconds($0) }) else { return now }
            if time - now > Self.longestReset { self?.retire() }
            return time
        }
    }

    private func done() {
        switch health.end() {
        case .none: break
        case .close: channel.close(promise: nil)
        case .idle: closeWhenIdle()
        }
    }

    /// A pool's connections end some time after their last request.
    private func closeWhenIdle() {
        guard let time = options.idleTime else { return }
        let (health, channel) = (health, channel)
        let use = health.useCount
        channel.eventLoop.scheduleTask(in: TimeAmount(time)) {
            if health.retireIfIdle(since: use) { channel.close(promise: nil) }
        }
    }
}
