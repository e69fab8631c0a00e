/// Which algorithms are offered (fact sheet, §1.1).
enum TLSProfile {
    /// XFTP's own, with these key exchanges.
    case native([TLSGroup])
    /// What browsers bring along, for those that send a server name.
    case web

    /// The suites of TLS 1.3.
    var suites: String {
        switch self {
        case .native: "TLS_CHACHA20_POLY1305_SHA256"
        case .web:
            "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:TLS_AES_128_CCM_SHA256"
        }
    }

    /// The suites of TLS 1.2: those with authenticated encryption and forward secrecy.
    var olderSuites: String {
        switch self {
        case .native: "ECDHE-ECDSA-CHACHA20-POLY1305"
        case .web: "ECDHE+AESGCM:ECDHE+CHACHA20:ECDHE+AESCCM"
        }
    }

    var groups: String {
        switch self {
        case .native(let groups): TLSGroup.list(groups)
        case .web: "X25519:X448:ffdhe4096:ffdhe6144:ffdhe8192:P-521"
        }
    }

    var signatures: String {
        switch self {
        case .native: "ed448:ed25519"
        case .web:
            """
            ed448:ed25519:ECDSA+SHA256:ECDSA+SHA384:ECDSA+SHA512:\
            rsa_pss_rsae_sha512:rsa_pss_rsae_sha384:rsa_pss_rsae_sha256:\
            RSA+SHA512:RSA+SHA384:RSA+SHA256
            """
        }
    }
}
