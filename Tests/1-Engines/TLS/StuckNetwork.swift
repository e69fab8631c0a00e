import NIOCore

/// A network that takes nothing until it is told so.
final class StuckNetwork: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    var held: [(ByteBuffer, EventLoopPromise<Void>?)] = []
    var bytes: Int { held.reduce(0) { $0 + $1.0.readableBytes } }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        held.append((unwrapOutboundIn(data), promise))
    }

    func letGo(most: Int = .max) {
        for (_, promise) in held.prefix(most) { promise?.succeed() }
        held.removeFirst(min(most, held.count))
    }
}
