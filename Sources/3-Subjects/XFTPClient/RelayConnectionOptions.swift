public import NIOCore
public import NIOPosix
public import ValiseEncoding

/// How relays are reached.
public struct RelayConnectionOptions: Sendable {
    /// Nil for direct connections, which cannot reach onion hosts.
    public var proxy: SOCKSProxy?
    public var timeouts: RelayTimeouts
    /// How many chunks travel over one connection at a time, either way.
    public var parallelStreams: Int
    /// How many of them are sent. The official relay handles three requests of a connection at a time, and an upload binds
    /// its handler to the end of its content: with two, other requests always get through.
    public var parallelUploads: Int
    /// How many requests of one connection wait for the head of their answer at a time, uploads included. What the official
    /// relay does not handle yet takes room of the window that all uploads share: with a fourth request they can wait for
    /// each other forever (XFTP fact sheet, §12b).
    public var unansweredRequests: Int
    /// When uploads that do not move are taken to wait for each other; see ``UploadStall``.
    public var stall = UploadStall()
    /// Whose threads do the network's work.
    public var group: any EventLoopGroup
    /// After so long without a request the connection is closed. Nil for never.
    public var idleTime: Duration?
    /// When a ``RelayPool`` makes a request again that a relay had no space for; as it stands within a minute.
    public var busyRetries = RetryPolicy(
        firstPause: .milliseconds(100), constantTime: .zero, longestPause: .seconds(10), attempts: 16)
    /// Seconds since 1970, for the validity of certificates.
    public var now: @Sendable () -> Int64

    public init(
        proxy: SOCKSProxy? = nil, timeouts: RelayTimeouts = RelayTimeouts(), parallelStreams: Int = 4,
        parallelUploads: Int = 2, unansweredRequests: Int = 3,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        idleTime: Duration? = nil, now: @escaping @Sendable () -> Int64 = UTCTime.clock
    ) {
        precondition(
            parallelStreams > 0 && parallelUploads > 0 && unansweredRequests > 0,
            "a connection without streams")
        self.proxy = proxy
        self.timeouts = timeouts
        self.parallelStreams = parallelStreams
        self.parallelUploads = parallelUploads
        self.unansweredRequests = unansweredRequests
        self.group = group
        self.idleTime = idleTime
        self.now = now
    }
}

/// How it is noticed that a relay takes nothing more of uploads although the line is good.
///
/// When no upload of a connection moved for a while, the relay is asked for a sign of life, which follows all that was sent
/// before it. If it answers, and still no upload moves, they wait for room that nobody will give. Then the connection is
/// given up, and the uploads are made again on another one, one at a time.
public struct UploadStall: Sendable {
    /// So long no upload moves before the relay is asked.
    public var idle: Duration = .seconds(2)
    /// So long none moves after it answered.
    public var afterAnswer: Duration = .seconds(1)

    public init() {}
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
