package import ValiseFailures
package import ValiseXFTPWire

/// A relay that cannot be reached, cannot be trusted, or refuses.
package struct XFTPClientError: Failure {
    /// What a caller can tell apart.
    package enum Kind: Hashable, Sendable {
        /// No connection: no such host, or the proxy cannot make it; or refused by a relay that was up a while ago.
        case unreachable
        /// Nothing listens at the relay's address.
        case connectionRefused
        /// The relay has only an onion address, and no proxy was given.
        case needsProxy
        /// No answer in time. The connection is closed.
        case timedOut
        /// The relay answers, and takes nothing more of any upload: they wait for each other. The connection is closed.
        case stalled
        /// The connection ended before the answer was complete, or has to be replaced; or the relay broke the request
        /// off.
        case connectionLost
        /// The relay has no space for the request at the moment, or is about to stop. It did nothing of it.
        case busy
        /// Not the relay that the address names, or its certificates are not valid.
        case untrusted
        /// No version of the protocol that both speak, or not the protocol at all.
        case incompatible
        /// The relay answered with an error.
        case refused(XFTPErrorCode)
        /// An answer that the protocol does not allow.
        case protocolViolation
        /// What arrived is not the chunk that the description means.
        case damagedChunk
        /// What the caller gave is not what it announced; the relay keeps nothing of it.
        case wrongBody
    }

    package let kind: Kind
    package let code: FailureCode
    package let message: String
    /// The relay: host and, where it is not 443, port.
    package let subject: String?
    package let cause: (any Error)?
    package let remedy: Remedy?
    /// Whether the request had not begun, because its connection takes none any more.
    let isUnsent: Bool

    init(
        _ kind: Kind, code: FailureCode? = nil, _ message: String, relay: String,
        cause: (any Error)? = nil, isUnsent: Bool = false, remedy: Remedy? = nil
    ) {
        self.kind = kind
        self.code = code ?? kind.code
        self.message = message
        self.subject = relay
        self.cause = cause
        self.isUnsent = isUnsent
        self.remedy = remedy
    }

    /// Whether the same request can succeed later (XFTP fact sheet, §8.3): network, time, another version.
    package var isTemporary: Bool { kind.isTemporary }
}

extension XFTPClientError.Kind {
    /// Whether the same request can succeed later.
    package var isTemporary: Bool {
        switch self {
        case .unreachable, .connectionRefused, .timedOut, .stalled, .connectionLost, .busy, .incompatible:
            true
        // The session is gone with its connection; a relay that took too long says so itself.
        case .refused(.timeout), .refused(.session), .refused(.handshake): true
        case .needsProxy, .refused, .untrusted, .protocolViolation, .damagedChunk, .wrongBody: false
        }
    }

    /// Whether a chunk was too long on its way.
    var isOfSlowLine: Bool { self == .timedOut || self == .refused(.timeout) }

    var code: FailureCode {
        switch self {
        case .unreachable, .connectionRefused, .needsProxy, .timedOut, .stalled, .connectionLost, .busy,
            .protocolViolation:
            .failed
        case .untrusted: .denied
        case .incompatible: .unsupported
        case .damagedChunk: .damaged
        case .wrongBody: .invalid
        case .refused(.quota): .noSpace
        case .refused(.auth), .refused(.blocked): .denied
        case .refused: .failed
        }
    }
}
