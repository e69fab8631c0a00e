import ArgumentParser
import ValiseFailures
import ValiseXFTPWire

/// A relay of this program, for two machines of one person that need no third party.
struct ServeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Be the relay: keep the chunks here, under the address by which the others reach this machine, until all \
            have told that they received them or you stop it. The official apps do not tell: end it with Control-C \
            then. Without a port any free one is taken. An onion host needs \
            --proxy, and 127.0.0.1 is listened on.
            """, valueName: "host[:port]"))
    var serve: ServeAddress?

    var isAsked: Bool { serve != nil }

    var needsProxy: Bool { if case .onion = serve?.host { true } else { false } }

    /// A started relay, where one is asked for.
    ///
    /// - Parameter quota: as of ``ServedRelay/quota(_:recipients:)``.
    func relay(quota: @autoclosure () -> Int64, _ output: OutputOptions) throws -> ServedRelay? {
        try serve.map { try ServedRelay($0, quota: quota(), output) }
    }
}

/// `HOST`, `HOST:PORT` or `[ADDRESS]:PORT`.
struct ServeAddress: ExpressibleByArgument, Equatable {
    let host: XFTPAddress.Host
    /// 0 for any free one.
    let port: UInt16

    init?(argument: String) {
        // The fingerprint is not known yet; the rest is read as in any address.
        let placeholder = "xftp://" + String(repeating: "A", count: 43) + "=@"
        guard let address = try? XFTPAddress(placeholder + argument), address.hosts.count == 1 else {
            return nil
        }
        host = address.hosts[0]
        port = address.port ?? 0
    }

    /// What is listened on: the address itself where it is a number; where Tor brings the others, this machine alone;
    /// else all.
    var listen: String {
        switch host {
        case .ipv4(let text), .ipv6(let text): text
        case .domain("localhost"), .onion: "127.0.0.1"
        case .domain: "0.0.0.0"
        }
    }
}
