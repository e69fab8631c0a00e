package import NIOCore
package import NIOHTTP1
import NIOPosix
import SystemPackage
import ValiseConcurrency
import ValiseFailures

/// Answers HTTP/1.1 to programs of this machine.
package final class LocalServer: Sendable {
    /// The requests of a connection, in their order.
    package typealias Requests = NIOAsyncChannelInboundStream<HTTPServerRequestPart>

    /// The one it listens on.
    package let port: Int
    /// When something was last asked for: whoever answers says so.
    package let activity = ServerActivity()
    private let listener: any Channel
    private let arrivals: AsyncStream<any Channel>
    private let channels: OpenChannels

    private static let host = "127.0.0.1"

    /// Begins to listen. Nobody is answered before ``run(_:)``.
    /// - Parameter port: 0 for any that is free.
    /// - Throws: ``LocalServerError``: `inUse`, `denied`, `failed`.
    package static func start(port: Int) async throws -> LocalServer {
        let (arrivals, arrived) = AsyncStream<any Channel>.makeStream()
        let channels = OpenChannels()
        do {
            let address = try SocketAddress(ipAddress: host, port: port)
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.backlog, value: 64)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                // Nothing is read before somebody takes it.
                .childChannelOption(.autoRead, value: false)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try open(channel, channels, arrived) }
                }
                .bind(to: address).get()
            return LocalServer(listener, arrivals, channels)
        } catch {
            throw cannotListen(port, error)
        }
    }

    private init(_ listener: any Channel, _ arrivals: AsyncStream<any Channel>, _ channels: OpenChannels) {
        port = listener.localAddress?.port ?? 0
        self.listener = listener
        self.arrivals = arrivals
        self.channels = channels
    }

    private static func open(
        _ channel: any Channel, _ channels: OpenChannels, _ arrived: AsyncStream<any Channel>.Continuation
    ) throws {
        guard channels.admit(channel) else { throw ChannelError.inappropriateOperationForState }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(IdleStateHandler(allTimeout: .minutes(10)))
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: true)
        try pipeline.addHandler(ArrivalHandler(arrived))
    }

    private static func cannotListen(_ port: Int, _ error: any Error) -> LocalServerError {
        let place = port == 0 ? host : "\(host), port \(port)"
        switch (error as? IOError).map({ Errno(rawValue: $0.errnoCode) }) {
        case .addressInUse?:
            return LocalServerError(
                .inUse, "another program is listening on \(place)", remedy: .stopOrChoosePort)
        case .permissionDenied?, .notPermitted?:
            return LocalServerError(
                .denied, "not permitted to listen on \(place)", remedy: .chooseUnprivilegedPort)
        case let errno?:
            return LocalServerError(.failed, "cannot listen on \(place): \(errno.description.lowercased())")
        case nil: return LocalServerError(.failed, "cannot listen on \(place)")
        }
    }

    /// Answers until the task is cancelled; then nothing is left open.
    /// - Parameter answer: answers the requests of a connection, and throws where it ends before an answer is complete.
    package func run(
        _ answer: @escaping @Sendable (any Channel, Requests) async throws -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            for await channel in arrivals { group.addTask { await Self.serve(channel, answer) } }
        }
        try? await listener.close()
        channels.closeAll()
    }

    private static func serve(
        _ channel: any Channel, _ answer: @Sendable (any Channel, Requests) async throws -> Void
    ) async {
        do {
            let connection = try await channel.eventLoop.submit {
                // One that was closed meanwhile takes no handlers.
                guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
                return try NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>(
                    wrappingChannelSynchronously: channel)
            }.get()
            try await withTaskCancellationHandler {
                try await connection.executeThenClose { requests, _ in
                    try await channel.setOption(.autoRead, value: true).get()
                    try await answer(channel, requests)
                }
            } onCancel: {
                // A program that takes nothing more is not waited for.
                channel.close(promise: nil)
            }
        } catch {
            channel.close(promise: nil)
        }
    }
}

/// Passes a connection on as soon as it is open, and closes one on which nothing happens.
private final class ArrivalHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let arrived: AsyncStream<any Channel>.Continuation

    init(_ arrived: AsyncStream<any Channel>.Continuation) { self.arrived = arrived }

    func channelActive(context: ChannelHandlerContext) {
        arrived.yield(context.channel)
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        context.close(promise: nil)
    }
}
