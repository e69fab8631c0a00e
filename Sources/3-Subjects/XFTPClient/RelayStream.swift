import NIOCore
import NIOHPACK
import NIOHTTP2
import ValiseConcurrency
import ValiseXFTPWire

/// One request to a relay as its task sees it: send a block and what follows it, then take the answer.
struct RelayStream: Sendable {
    private let channel: any Channel
    private let handler: NIOLoopBound<RelayStreamHandler>
    private let authority: String
    /// The answer has begun: the relay is free for another request.
    let whenAnswered: @Sendable () -> Void

    /// Call it on the event loop of `channel`, while that is put together.
    /// - Parameter watch: for an upload, whose movement matters to others.
    init(
        _ channel: any Channel, authority: String, health: ConnectionHealth, watch: UploadWatch?,
        whenAnswered: @escaping @Sendable () -> Void
    ) throws {
        let handler = RelayStreamHandler(answerSize: XFTPBlock.size, health: health, watch: watch)
        try channel.syncOptions?.setOption(.autoRead, value: false)
        try channel.pipeline.syncOperations.addHandler(handler)
        self.channel = channel
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        self.authority = authority
        self.whenAnswered = whenAnswered
    }

    // MARK: Sending

    /// The headers and what comes first.
    ///
    /// - Parameters:
    ///   - block: nothing for the hello.
    ///   - isAll: whether nothing follows.
    /// - Returns: whether more is wanted; false once the relay has answered.
    func start(_ block: [UInt8], isAll: Bool) async throws -> Bool {
        let headers = HPACKHeaders([
            (":method", "POST"), (":scheme", "https"), (":authority", authority), (":path", "/"),
        ])
        var payloads = [
            HTTP2Frame.FramePayload.headers(.init(headers: headers, endStream: isAll && block.isEmpty))
        ]
        if !block.isEmpty {
            payloads.append(.data(.init(data: .byteBuffer(ByteBuffer(bytes: block)), endStream: isAll)))
        }
        return try await write(payloads)
    }

    /// A further piece. The last one ends the stream, because a relay reads on until then.
    /// - Returns: whether more is wanted; false once the relay has answered.
    func send(_ bytes: ByteBuffer, isLast: Bool) async throws -> Bool {
        try await write([.data(.init(data: .byteBuffer(bytes), endStream: isLast))])
    }

    private func write(_ payloads: [HTTP2Frame.FramePayload]) async throws -> Bool {
        let wanted = Promise<Bool>()
        channel.eventLoop.execute { handler.value.write(payloads, wanted) }
        return try await wanted.value
    }

    // MARK: Receiving

    /// All that has arrived, as soon as it is `minimum` bytes or the end, where it may be less or nothing.
    func take(atLeast minimum: Int) async throws -> ByteBuffer {
        let bytes = Promise<ByteBuffer>()
        channel.eventLoop.execute { handler.value.take(atLeast: minimum, bytes) }
        return try await bytes.value
    }

    /// The relay has so much time from now on.
    func allow(_ time: TimeLimit, _ error: @escaping @Sendable () -> any Error) {
        channel.eventLoop.execute { handler.value.allow(time, error) }
    }

    /// Wakes whoever waits, with this error.
    func fail(with error: any Error) {
        channel.eventLoop.execute { handler.value.fail(with: error) }
    }

    /// How long the end of an answer that is complete may take: relays count what is reset.
    private static let graceOfEnd: TimeAmount = .seconds(2)

    /// Resets the stream where one side has not ended it, at a time that `nextReset` gives.
    func finish(_ nextReset: @escaping @Sendable (NIODeadline) -> NIODeadline) {
        let loop = channel.eventLoop
        loop.execute {
            guard channel.isActive else { return }
            guard handler.value.lacksOnlyEnd else { return reset(nextReset) }
            loop.scheduleTask(in: Self.graceOfEnd) {
                if channel.isActive { reset(nextReset) }
            }
        }
    }

    private func reset(_ nextReset: (NIODeadline) -> NIODeadline) {
        let loop = channel.eventLoop
        loop.scheduleTask(deadline: nextReset(loop.now)) { channel.close(promise: nil) }
    }
}
