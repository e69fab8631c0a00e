import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// When the system asks a silent peer whether it is still there (XFTP fact sheet, §1.1).
enum KeepAlive {
    private static let idleSeconds: ChannelOptions.Types.SocketOption.Value = 30
    private static let intervalSeconds: ChannelOptions.Types.SocketOption.Value = 15
    private static let count: ChannelOptions.Types.SocketOption.Value = 4

    #if canImport(Darwin)
        private static let idle = NIOBSDSocket.Option(rawValue: TCP_KEEPALIVE)
    #else
        private static let idle = NIOBSDSocket.Option(rawValue: TCP_KEEPIDLE)
    #endif

    static let values: [(NIOBSDSocket.Option, ChannelOptions.Types.SocketOption.Value)] = [
        (idle, idleSeconds),
        (NIOBSDSocket.Option(rawValue: TCP_KEEPINTVL), intervalSeconds),
        (NIOBSDSocket.Option(rawValue: TCP_KEEPCNT), count),
    ]
}
