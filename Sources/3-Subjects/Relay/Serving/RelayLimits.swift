import CValisePlatform

/// What a relay lets strangers take of it. The defaults are for a relay of a user or a group on a small machine.
///
/// Memory in the worst case is ``sharedBuffers`` + ``uploadWindows`` + ``connections`` × (192 KiB + what TLS keeps): each
/// connection may in any case have 64 KiB of requests and their answers in memory, 64 KiB of downloads and 64 KiB of
/// uploads. Beside that the store has up to 130 bytes for each name, 130 MB for the million that it keeps unless the
/// settings say otherwise (`most_names`).
package struct RelayLimits: Sendable, Hashable {
    /// Twice the number of cores, and at least 4: a database or a storage server keeps a thread waiting longer than a disk.
    package static let usualThreads = max(4, 2 * Int(valise_core_count()))
    /// 1000, see ``connections``.
    package static let usualConnections = 1000
    /// Connections at once. When there are that many, one without a request makes space for the next: one whose handshakes
    /// take longer than ``openingPatience``, else the one that is idle longest. Nobody comes in where all have requests.
    package var connections = usualConnections
    /// Connections at once from one address; for IPv6 from one network of 64 bits.
    package var connectionsPerAddress = usualConnectionsPerAddress(of: usualConnections)
    /// Whether each of this machine's own addresses may have more, namely all but ``connectionsPerAddress`` of the
    /// connections, and bytes and files without a limit of its own: a proxy or Tor brings many clients under one of them.
    package var exemptsLoopback = true
    /// How long the handshakes of a connection may take before it makes space for others ahead of idle connections. Where a
    /// quarter of all are in their handshakes, no time at all.
    package var openingPatience: Duration = .seconds(3)
    /// Requests at once on a connection. More are an error of the protocol, and the connection ends.
    package var streams = 100
    /// Commands of one connection that are worked on at once; further ones wait.
    package var commandsPerConnection = 8
    /// Uploads and downloads of one connection at once. Further downloads wait, and further uploads are refused so that
    /// they can be repeated: bodies that wait would keep the others of their connection from going on.
    package var transfersPerConnection = 16
    /// Uploads and downloads of all connections at once. Each has a file open. The last half of them is for connections that
    /// have less than two: nobody has all.
    package var transfers = 1024
    /// Threads that wait for disks, databases and storage servers, and check signatures.
    package var threads = usualThreads
    /// What all clients together may move and announce.
    package var rates = TrafficRates()
    /// What one address may move and announce; for IPv6 one network of 64 bits. This machine's own have no such limit where
    /// ``exemptsLoopback`` says so.
    package var ratesPerAddress = TrafficRates()
    /// Of the header list of a request, in bytes as HTTP/2 counts them.
    package var headerBytes = 8192

    /// For the header of a proxy, from the acceptance of a connection.
    package var proxyHeaderTime: Duration = .seconds(10)
    /// For TCP and TLS, from the acceptance of a connection.
    package var tlsHandshakeTime: Duration = .seconds(60)
    /// For the handshake of XFTP, from the end of that of TLS.
    package var handshakeTime: Duration = .seconds(60)
    /// How long a connection may stay without a request; nil for as long as it likes.
    package var idleTime: Duration? = .seconds(600)
    /// For a request up to the end of its block, and for the rest of a body that is thrown away.
    package var requestTime: Duration = .seconds(30)
    /// For a whole upload.
    package var uploadTime: Duration = .seconds(300)
    /// For a whole download.
    package var downloadTime: Duration = .seconds(900)
    /// How often a transfer has to have made progress by ``progressBytes``.
    package var progressTime: Duration = .seconds(30)
    /// What a transfer has to move in each ``progressTime``, in bytes.
    package var progressBytes = 16384
    /// What is read and thrown away of a refused body, in bytes.
    package var discardedBytes = 8 << 20

    /// Buffers that all connections share for requests, answers and downloads when their own are full, in bytes. A
    /// request that finds no space is refused so that it can be repeated; a download waits.
    package var sharedBuffers = 8 << 20
    /// What all connections share for uploads beyond their own 64 KiB, in bytes. A connection that uploads takes up to
    /// 960 KiB of it until it closes; when nothing is left, uploads over long distances become slower.
    package var uploadWindows = 12 << 20

    /// What each connection has for requests and their answers, and again for downloads, in bytes.
    static let ownBuffers = 64 << 10

    /// Frames of a kind in one second; a connection with more is closed.
    package var frames = FrameLimits()

    /// How long connections are still taken, and downloads served, after ``RelayServer/stop()``. New uploads are refused, so that
    /// clients repeat them, with another process where there is one.
    package var drainDelay: Duration = .zero
    /// How long transfers may go on after that.
    package var stopTime: Duration = .seconds(30)

    /// Frames that cost a peer little and the relay something, as many as are taken in a second.
    ///
    /// NIOHTTP2 bounds most of them over 30 seconds; short floods and the rest of the kinds are counted here. The
    /// official relay closes at 5 of the first four kinds.
    package struct FrameLimits: Sendable, Hashable {
        /// PING and SETTINGS without ACK, together.
        package var control = 20
        /// RST_STREAM. A client that gives up all its downloads sends one for each.
        package var resets = 100
        /// DATA, HEADERS and CONTINUATION without a byte that do not end their stream.
        package var empty = 20
        /// PRIORITY, acknowledgments that nobody waits for, and kinds that nobody knows.
        package var ignored = 100
        /// WINDOW_UPDATE
        package var windowUpdates = 20_000
        /// DATA with padding, or below 256 bytes that does not end its stream, beyond 16 for each DATA of 4,096 bytes or
        /// more: flow control cuts honest bodies so.
        package var small = 5000

        package init() {}
    }

    package init() {}

    /// 100, and never more than half of all.
    static func usualConnectionsPerAddress(of connections: Int) -> Int { min(100, max(1, connections / 2)) }

    /// Connections at once from one of this machine's own addresses.
    var connectionsOfLoopback: Int {
        exemptsLoopback
            ? max(connectionsPerAddress, connections - connectionsPerAddress) : connectionsPerAddress
    }

    /// Descriptors for all but connections and their transfers: log, sockets that listen, event loops, threads.
    private static let otherDescriptors = 64

    /// What a full relay has open.
    package var descriptors: Int {
        connections + transfers + Self.otherDescriptors
    }

    /// Takes fewer connections, in all and from one address, and then fewer transfers, where the process may not open as much as that.
    package mutating func fit(descriptors: Int) {
        guard self.descriptors > descriptors else { return }
        let free = max(0, descriptors - Self.otherDescriptors)
        transfers = min(transfers, free / 3)
        connections = min(connections, max(1, free - transfers))
        connectionsPerAddress = min(connectionsPerAddress, max(1, connections / 2))
    }
}
