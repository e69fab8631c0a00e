package import ValiseXFTPWire

/// Where others reach a relay of this process: `HOST`, `HOST:PORT` or `[ADDRESS]:PORT`.
public struct ServeAddress: Equatable, Sendable {
    package let host: XFTPAddress.Host
    /// 0 for any free one.
    package let port: UInt16

    /// - Returns: nil if it is not an address.
    public init?(_ text: String) {
        // The fingerprint is not known yet; the rest is read as in any address.
        let placeholder = "xftp://" + String(repeating: "A", count: 43) + "=@"
        guard let address = try? XFTPAddress(placeholder + text), address.hosts.count == 1 else {
            return nil
        }
        host = address.hosts[0]
        port = address.port ?? 0
    }

    /// What is listened on: the address itself where it is a number; where Tor brings the others, this machine alone;
    /// else all.
    package var listen: String {
        switch host {
        case .ipv4(let text), .ipv6(let text): text
        case .domain("localhost"), .onion: "127.0.0.1"
        case .domain: "0.0.0.0"
        }
    }
}
