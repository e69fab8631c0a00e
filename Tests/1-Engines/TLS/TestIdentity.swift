import ValiseCryptography
import ValiseTLS

/// A relay's identity made for a test.
struct TestIdentity {
    static let now: Int64 = 1_900_000_000

    let authority: CertificateAuthority
    let leaf: Certificate
    let key: SigningKey

    /// - Parameter validFromThePast: for peers that look at the real clock.
    init(
        _ algorithm: SigningAlgorithm, days: Int32 = CertificateAuthority.validityDays,
        validFromThePast: Bool = false
    ) throws {
        let start = validFromThePast ? 1_000_000_000 : Self.now - 1000
        authority = try CertificateAuthority.make(algorithm, now: start)
        key = try SigningKey.generate(algorithm)
        leaf = try authority.issue(commonName: "localhost", for: key, now: start, days: days)
    }

    var fingerprint: [UInt8] { authority.certificate.fingerprint }

    func tls() throws -> TLSIdentity {
        try TLSIdentity(chain: [leaf, authority.certificate], key: key)
    }

    func server(
        alpn: [String] = ["xftp/1", "h2", "http/1.1"], groups: [TLSGroup] = [.x448, .x25519]
    ) throws -> TLSServerSettings {
        try TLSServerSettings(identity: tls(), alpn: alpn, groups: groups)
    }

    func client(alpn: [String] = ["xftp/1"], now: Int64 = Self.now) -> TLSClientSettings {
        TLSClientSettings(fingerprint: fingerprint, alpn: alpn, now: { now })
    }
}
