import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Pauses where the system has no descriptors or memory for more connections, so that some can close.
///
/// NIO's `AcceptBackoffHandler` holds back reads that it is asked for. After an error of `accept` nobody asks: the
/// socket stays registered, and a core is busy with trying until there is space.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private static let length = TimeAmount.seconds(1)

    private var end: Scheduled<Void>?

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let causes = [EMFILE, ENFILE, ENOBUFS, ENOMEM]
        guard let error = error as? IOError, causes.contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        guard end == nil else { return }
        let channel = context.channel
        try? channel.syncOptions?.setOption(.autoRead, value: false)
        end = context.eventLoop.assumeIsolated().scheduleTask(in: Self.length) { [self] in
            end = nil
            try? channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end?.cancel()
        end = nil
        context.fireChannelInactive()
    }
}
