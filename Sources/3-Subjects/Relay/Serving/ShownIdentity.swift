import Synchronization
import ValiseCryptography
import ValiseFailures
import ValiseTLS
import ValiseXFTPWire

/// What new connections are shown of the relay. It can be changed while others go on.
final class ShownIdentity: Sendable {
    struct Parts: Sendable {
        let relay: RelayIdentity
        let tls: TLSServerSettings
        /// When the first of the certificates ends, in seconds since 1970; nil where they do not say.
        let end: Int64?

        fileprivate init(_ identity: TLSIdentity, web: TLSIdentity?) throws {
            relay = try RelayIdentity(identity.chain, key: identity.key)
            tls = try TLSServerSettings(identity: identity, webIdentity: web)
            end = (identity.chain + (web?.chain ?? [])).compactMap(\.notAfter).min()
        }
    }

    private let parts: Mutex<Parts>

    init(_ identity: TLSIdentity, web: TLSIdentity?) throws {
        parts = Mutex(try Parts(identity, web: web))
    }

    var current: Parts { parts.withLock { $0 } }

    /// - Throws: ``XFTPRelayError``: `invalid` for the identity of another relay; what the certificates are not good for.
    func change(to identity: TLSIdentity, web: TLSIdentity?) throws {
        let next = try Parts(identity, web: web)
        guard next.relay.fingerprint == current.relay.fingerprint else {
            throw XFTPRelayError(
                .invalid,
                "these certificates are of another relay: its address would change. The running relay keeps its own."
            )
        }
        parts.withLock { $0 = next }
    }
}
