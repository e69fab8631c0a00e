/// Where a relay is, and by what it is known (XFTP fact sheet, §1.6).
public struct XFTPAddress: Hashable, Sendable {
    /// SHA-256 of the relay's identity certificate, 32 bytes.
    package var fingerprint: [UInt8]
    /// At least one.
    package var hosts: [Host]
    /// Nil for 443.
    package var port: UInt16?

    package static let defaultPort: UInt16 = 443

    /// Hosts are ordered by their kind as it is listed here, numbers by their value, names by their text.
    package enum Host: Hashable, Sendable {
        case ipv4(String)
        /// Without brackets.
        case ipv6(String)
        case onion(String)
        case domain(String)
    }

    package init(fingerprint: [UInt8], hosts: [Host], port: UInt16? = nil) {
        precondition(fingerprint.count == 32 && !hosts.isEmpty, "address without a fingerprint or host")
        self.fingerprint = fingerprint
        self.hosts = hosts
        self.port = port
    }
}
