import ValiseSecrets

extension RelaySession {
    /// How a connection begins, by what TLS agreed on (XFTP fact sheet, §1.2).
    package enum Mode: Hashable, Sendable {
        /// No protocol was agreed on: version 1, without a handshake.
        case legacy
        /// The handshake of programs.
        case native
        /// The handshake of web pages, which see another certificate.
        case web

        /// - Parameters:
        ///   - alpn: what TLS agreed on.
        ///   - usedServerName: whether the client saw the web certificate.
        /// - Returns: nil where every request gets an empty answer.
        package init?(alpn: String?, usedServerName: Bool) {
            switch alpn {
            case nil: self = .legacy
            case "xftp/1", "http/1.1": self = usedServerName ? .web : .native
            case "h2" where usedServerName: self = .web
            default: return nil
            }
        }
    }

    /// The beginning of an HTTP request.
    package struct Request: Hashable, Sendable {
        /// The first ``XFTPBlock/size`` bytes of the body; fewer where it ends before.
        package var head: [UInt8]
        /// Whether there is a header `xftp-web-hello`.
        package var hasHelloHeader: Bool
        /// Whether there is a header `xftp-handshake`.
        package var hasHandshakeHeader: Bool

        package init(head: [UInt8], hasHelloHeader: Bool = false, hasHandshakeHeader: Bool = false) {
            self.head = head
            self.hasHelloHeader = hasHelloHeader
            self.hasHandshakeHeader = hasHandshakeHeader
        }
    }

    /// What is to be done about a request.
    package enum Action: Hashable, Sendable {
        /// This is the whole answer: a block, or nothing. What is left of the request's body is to be discarded.
        case respond([UInt8])
        /// A command that is well formed; whether it is allowed is still open: ``RelaySession/verify(_:key:)``.
        case command(AuthorizedRequest)
    }

    /// How far the handshake came.
    enum State: Sendable {
        case none
        case helloSent(SessionKey)
        /// The key is nil where there was no handshake.
        case accepted(SessionKey?, version: UInt16)
    }

    /// The key of a handshake. It is signed once: a web page may say hello as often as it likes.
    struct SessionKey: Sendable {
        let secret: SecretSeed
        let signed: SignedKey
    }
}

/// A command with what authorizes it.
package struct AuthorizedRequest: Hashable, Sendable {
    package let command: XFTPCommand
    /// Nil for `FNEW` and `PING`, never for others.
    package let entityID: EntityID?
    /// What the answer repeats.
    package let correlationID: [UInt8]
    /// Empty for `PING`, never for others.
    package let authenticator: [UInt8]
    /// The bytes that ``authenticator`` is for.
    package let authorized: [UInt8]
}
