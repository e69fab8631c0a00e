import NIOCore
package import SystemPackage
package import ValiseXFTPWire

/// What the operator of a relay decides, as the file in its folder has it (XFTP fact sheet, §9.3).
package struct RelaySettings: Sendable, Equatable {
    /// 48, in hours.
    package static let usualLifetime = 48
    /// 600, in seconds.
    package static let usualIdleTime = 600

    /// What the printed address names. At least one.
    package var hosts: [XFTPAddress.Host]
    /// The address of this machine to listen on, as numbers. Our own key, which the official relay passes over.
    package var listen: String
    /// 0 for any free one.
    package var port: UInt16
    /// Connections at once. Our own key, which the official relay passes over.
    package var connections = RelayLimits.usualConnections
    /// Connections at once from one address, for IPv6 from one network of 64 bits; below ``connections``. Our own key, which
    /// the official relay passes over.
    package var connectionsPerAddress = RelayLimits.usualConnectionsPerAddress(
        of: RelayLimits.usualConnections)
    /// The folder of the chunks' bodies.
    package var files: FilePath
    /// The most bytes of bodies; nil for as many as the disk takes.
    package var quota: Int64?
    /// The most names of chunks and recipients in memory. Our own key, which the official relay passes over.
    package var mostNames = ChunkStoreSettings.usualMostNames
    /// Where chunks are kept.
    package var store = RelayStoreChoice()
    /// Where a database of records is, whether ``store`` has it or not; nil where the file does not say.
    package var database: Database?
    /// Where a bucket of bodies is, whether ``store`` has it or not; nil where the file does not say.
    package var objects: Objects?
    /// Whether chunks survive a restart: those with embedded records.
    package var keepsLog = true
    /// Of chunks, in hours.
    package var lifetime = usualLifetime
    /// Whether each day gets a line of counters.
    package var logsStatistics = false
    /// How often the counters are written for Prometheus, in seconds; nil for never.
    package var prometheusInterval: Int?
    /// Whether chunks may be registered at all.
    package var acceptsNewFiles = true
    /// What clients need to register chunks; nil for nothing.
    package var password: RelayPassword?
    /// How long a connection may stay without a request, in seconds; nil for as long as it likes.
    package var idleTime: Int? = usualIdleTime
    /// The certificates that browsers know, with their key.
    package var web: WebIdentity?
    /// The folder of certificates and the online key, for several processes that are one relay; nil for the relay's own folder.
    /// Our own key, which the official relay passes over.
    package var identity: FilePath?
    /// How it serves, beyond what the official relay has settings for.
    package var serving = ServingSettings()
    /// What the file says that makes no difference here, in the words of the file, with its lines.
    package internal(set) var ignored: [String] = []

    /// Where a certificate that browsers know is, in PEM.
    package struct WebIdentity: Sendable, Equatable {
        /// With those above it.
        package var certificate: FilePath
        package var key: FilePath

        package init(certificate: FilePath, key: FilePath) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// - Parameters:
    ///   - hosts: by which clients reach it.
    ///   - listen: nil for ``usualListen(for:)``.
    ///   - port: to listen on.
    ///   - files: the folder of the chunks.
    ///   - quota: in bytes, for all chunks; nil for no limit.
    package init(
        hosts: [XFTPAddress.Host], listen: String? = nil, port: UInt16 = XFTPAddress.defaultPort,
        files: FilePath, quota: Int64? = nil
    ) {
        self.hosts = hosts
        self.listen = listen ?? Self.usualListen(for: hosts)
        self.port = port
        self.files = files
        self.quota = quota
    }
    /// What is listened on unless the operator says otherwise: all addresses, but nothing that others reach where only
    /// this machine can use the hosts.
    package static func usualListen(for hosts: [XFTPAddress.Host]) -> String {
        let loopback = hosts.compactMap(\.loopback)
        guard loopback.count == hosts.count, let first = loopback.first else { return "0.0.0.0" }
        return first
    }
}

extension XFTPAddress.Host {
    /// The address in numbers, of one that leads this machine to itself.
    fileprivate var loopback: String? {
        switch self {
        case .ipv4(let text), .ipv6(let text):
            ClientAddress(try? SocketAddress(ipAddress: text, port: 0)).isLoopback ? text : nil
        case .domain(let name):
            name.lowercased() == "localhost" || name.lowercased().hasSuffix(".localhost") ? "127.0.0.1" : nil
        case .onion: nil
        }
    }
}
