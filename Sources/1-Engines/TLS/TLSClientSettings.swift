/// How a client connects: TLS 1.3 with the one suite of XFTP and no server name, to the relay of a fingerprint.
package struct TLSClientSettings: Sendable {
    /// SHA-256 of the relay's identity certificate, 32 bytes.
    package let fingerprint: [UInt8]

    /// The protocols offered, the preferred first; empty for none.
    package let alpn: [String]

    /// The key exchanges, of which the first is tried without asking.
    package let groups: [TLSGroup]

    /// The time that certificates have to be valid at, in seconds since 1970.
    package let now: @Sendable () -> Int64

    package init(
        fingerprint: [UInt8], alpn: [String] = ["xftp/1"], groups: [TLSGroup] = [.x448, .x25519],
        now: @escaping @Sendable () -> Int64
    ) {
        self.fingerprint = fingerprint
        self.alpn = alpn
        self.groups = groups
        self.now = now
    }
}
