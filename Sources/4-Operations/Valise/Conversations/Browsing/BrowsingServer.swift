import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import SystemPackage
import ValiseConcurrency
import ValiseFailures

/// Gives pages to browsers of this machine.
final class BrowsingServer: Sendable {
    let access: BrowsingAccess
    let desk: PageDesk
    let activity: BrowsingActivity
    /// What leads to the address, until it is used up.
    private let browser = Mutex<BrowserStart?>(nil)
    private let listener: any Channel
    private let arrivals: AsyncStream<any Channel>
    private let channels: OpenChannels

    private static let host = "127.0.0.1"

    /// Begins to listen. Nobody is answered before ``run()``.
    /// - Parameters:
    ///   - port: 0 for any that is free.
    ///   - desk: makes the pages.
    /// - Throws: ``OperationError``: `inUse`, `denied`, `failed`.
    static func start(port: Int, desk: PageDesk) async throws -> BrowsingServer {
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
            return BrowsingServer(listener, arrivals, channels, desk)
        } catch {
            throw cannotListen(port, error)
        }
    }

    private init(
        _ listener: any Channel, _ arrivals: AsyncStream<any Channel>, _ channels: OpenChannels,
        _ desk: PageDesk
    ) {
        access = BrowsingAccess(port: listener.localAddress?.port ?? 0)
        self.desk = desk
        activity = BrowsingActivity()
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

    private static func cannotListen(_ port: Int, _ error: any Error) -> OperationError {
        let place = port == 0 ? host : "\(host), port \(port)"
        switch (error as? IOError).map({ Errno(rawValue: $0.errnoCode) }) {
        case .addressInUse?:
            return OperationError(
                .inUse, "another program is listening on \(place)", remedy: .stopOrChoosePort)
        case .permissionDenied?, .notPermitted?:
            return OperationError(
                .denied, "not permitted to listen on \(place)", remedy: .chooseUnprivilegedPort)
        case let errno?:
            return OperationError(.failed, "cannot listen on \(place): \(errno.description.lowercased())")
        case nil: return OperationError(.failed, "cannot listen on \(place)")
        }
    }

    /// Answers until the task is cancelled; then nothing is left open.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await channel in arrivals { group.addTask { await self.serve(channel) } }
        }
        try? await listener.close()
        channels.closeAll()
    }

    /// Remembers what leads to the address. It is removed when the address is used up.
    func remember(_ start: BrowserStart) { browser.withLock { $0 = start } }

    /// Removes what led to the address.
    func removeBrowserStart() {
        let start = browser.withLock { browser in
            defer { browser = nil }
            return browser
        }
        start?.remove()
    }

    private func serve(_ channel: any Channel) async {
        do {
            let connection = try await channel.eventLoop.submit {
                // One that was closed meanwhile takes no handlers.
                guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
                return try BrowsingConnection.Stream(wrappingChannelSynchronously: channel)
            }.get()
            try await withTaskCancellationHandler {
                try await connection.executeThenClose { requests, _ in
                    try await channel.setOption(.autoRead, value: true).get()
                    try await BrowsingConnection(self, channel).run(requests)
                }
            } onCancel: {
                // A browser that takes nothing more is not waited for.
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

/// The connections that are open: more than browsers make are closed at once.
private final class OpenChannels: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    private static let most = 64

    /// - Returns: false where there are too many.
    func admit(_ channel: any Channel) -> Bool {
        let name = ObjectIdentifier(channel)
        let isAdmitted = channels.withLock { channels in
            guard channels.count < Self.most else { return false }
            channels[name] = channel
            return true
        }
        if isAdmitted {
            channel.closeFuture.whenComplete { [self] _ in channels.withLock { $0[name] = nil } }
        }
        return isAdmitted
    }

    func closeAll() {
        for channel in channels.withLock({ Array($0.values) }) { channel.close(promise: nil) }
    }
}
