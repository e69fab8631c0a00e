package import NIOCore
import NIOPosix
import ValiseEncoding

/// How relays are reached.
package struct RelayConnectionOptions: Sendable {
    /// Nil for direct connections, which cannot reach onion hosts.
    package var proxy: SOCKSProxy?
    package var timeouts: RelayTimeouts
    /// How many chunks travel over one connection at a time, either way.
    package var parallelStreams: Int
    /// How many of them are sent. The official relay handles three requests of a connection at a time, and an upload binds
    /// its handler to the end of its content: with two, other requests always get through.
    package var parallelUploads: Int
    /// How many requests of one connection wait for the head of their answer at a time, uploads included. What the official
    /// relay does not handle yet takes space of the window that all uploads share: with a fourth request they can wait for
    /// each other forever (XFTP fact sheet, §12b).
    package var unansweredRequests: Int
    /// When uploads that do not move are taken to wait for each other; see ``UploadStall``.
    package var stall = UploadStall()
    /// Whose threads do the network's work.
    package var group: any EventLoopGroup
    /// After so long without a request the connection is closed. Nil for never.
    package var idleTime: Duration?
    /// When a ``RelayPool`` makes a request again that a relay had no space for; as it stands within a minute.
    package var busyRetries = RetryPolicy(
        firstPause: .milliseconds(100), constantTime: .zero, longestPause: .seconds(10), attempts: 16)
    /// Seconds since 1970, for the validity of certificates.
    package var now: @Sendable () -> Int64

    package init(
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
/// before it. If it answers, and still no upload moves, they wait for space that nobody will give. Then the connection is
/// abandoned, and the uploads are made again on another one, one at a time.
package struct UploadStall: Sendable {
    /// So long no upload moves before the relay is asked.
    package var idle: Duration = .seconds(2)
    /// So long none moves after it answered.
    package var afterAnswer: Duration = .seconds(1)

    package init() {}
}

/// A SOCKS5 proxy without authentication, such as Tor's. It resolves the names of hosts.
package struct SOCKSProxy: Hashable, Sendable {
    package var host: String
    package var port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}

/// How long a relay is waited for. Time that the caller's own code takes does not count.
///
/// A relay is abandoned when it is silent, not when it is slow: whatever comes over its connection is a sign of life, be
/// it for another request, because requests share the line. Official clients have fixed times for each size instead
/// (XFTP fact sheet, §2.3), which slow lines do not keep when several chunks are on their way.
package struct RelayTimeouts: Sendable {
    /// TCP, proxy and TLS together.
    package var connect: Duration = .seconds(45)
    /// Silence before an answer.
    package var command: Duration = .seconds(75)
    /// An answer in all, with the chunk that is sent before it. Relays end an upload after 300 seconds.
    package var answer: Duration = .seconds(310)
    /// Silence within a chunk that follows an answer.
    package var body: Duration = .seconds(30)
    /// A chunk that follows an answer in all.
    package var download: Duration = .seconds(900)

    package init() {}

    var ofAnswer: TimeLimit { TimeLimit(silence: command, inAll: answer) }
    var ofBody: TimeLimit { TimeLimit(silence: body, inAll: download) }
}
