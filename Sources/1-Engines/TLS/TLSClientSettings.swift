/// How a client connects: TLS 1.3 with the one suite of XFTP and no server name, to the relay of a fingerprint.
public struct TLSClientSettings: Sendable {
    /// SHA-256 of the relay's identity certificate, 32 bytes.
    public let fingerprint: [UInt8]

    /// The protocols offered, the preferred first; empty for none.
    public let alpn: [String]

    /// The key exchanges, of which the first is tried without asking.
    public let groups: [TLSGroup]

    /// The time that certificates have to be valid at, in seconds since 1970.
    public let now: @Sendable () -> Int64

    public init(
        fingerprint: [UInt8], alpn: [String] = ["xftp/1"], groups: [TLSGroup] = [.x448, .x25519],
        now: @escaping @Sendable () -> Int64
    ) {
        self.fingerprint = fingerprint
        self.alpn = alpn
        self.groups = groups
        self.now = now
    }
}
