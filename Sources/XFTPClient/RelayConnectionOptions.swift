public import ByteCoding
public import NIOCore
public import NIOPosix

/// How relays are reached.
public struct RelayConnectionOptions: Sendable {
    /// Nil for direct connections, which cannot reach onion hosts.
    public var proxy: SOCKSProxy?
    public var timeouts: RelayTimeouts
    /// How many requests of one connection are under way at a time. The official relay works on few at once.
    public var parallelStreams: Int
    /// Whose threads do the network's work.
    public var group: any EventLoopGroup
    /// After so long without a request the connection is closed. Nil for never.
    public var idleTime: Duration?
    /// When a ``RelayPool`` makes a request again that a relay had no room for; as it stands within a minute.
    public var busyRetries = RetryPolicy(
        firstPause: .milliseconds(100), constantTime: .zero, longestPause: .seconds(10), attempts: 16)
    /// Seconds since 1970, for the validity of certificates.
    public var now: @Sendable () -> Int64

    public init(
        proxy: SOCKSProxy? = nil, timeouts: RelayTimeouts = RelayTimeouts(), parallelStreams: Int = 4,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        idleTime: Duration? = nil, now: @escaping @Sendable () -> Int64 = UTCTime.clock
    ) {
        precondition(parallelStreams > 0, "a connection without streams")
        self.proxy = proxy
        self.timeouts = timeouts
        self.parallelStreams = parallelStreams
        self.group = group
        self.idleTime = idleTime
        self.now = now
    }
}

/// A SOCKS5 proxy without authentication, such as Tor's. It resolves the names of hosts.
public struct SOCKSProxy: Hashable, Sendable {
    public var host: String
    public var port: UInt16

    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}

/// How long a relay is waited for. Time that the caller's own code takes does not count.
///
/// A relay is given up when it is silent, not when it is slow: whatever comes over its connection is a sign of life, be
/// it for another request, because requests share the line. Official clients have fixed times for each size instead
/// (XFTP fact sheet, §2.3), which slow lines do not keep when several chunks are on their way.
public struct RelayTimeouts: Sendable {
    /// TCP, proxy and TLS together.
    public var connect: Duration = .seconds(45)
    /// Silence before an answer.
    public var command: Duration = .seconds(75)
    /// An answer in all, with the chunk that is sent before it. Relays end an upload after 300 seconds.
    public var answer: Duration = .seconds(310)
    /// Silence within a chunk that follows an answer.
    public var body: Duration = .seconds(30)
    /// A chunk that follows an answer in all.
    public var download: Duration = .seconds(900)

    public init() {}

    var ofAnswer: TimeLimit { TimeLimit(silence: command, inAll: answer) }
    var ofBody: TimeLimit { TimeLimit(silence: body, inAll: download) }
}
