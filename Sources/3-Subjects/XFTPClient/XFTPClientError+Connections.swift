import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSOCKS
import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseTLS

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension XFTPClientError {
    static func onionWithoutProxy(_ relay: String) -> XFTPClientError {
        XFTPClientError(
            .needsProxy, "the relay has only an onion address, which needs a SOCKS proxy such as Tor",
            relay: relay)
    }

    static func connectTimeout(_ time: Duration, relay: String) -> XFTPClientError {
        XFTPClientError(
            .timedOut,
            "cannot connect to the relay: timed out after \(Count.text(time.components.seconds, "second"))",
            relay: relay)
    }

    static func timeout(_ request: Request, relay: String) -> XFTPClientError {
        XFTPClientError(
            .timedOut, "the relay did not answer \(request.rawValue) in time", relay: relay)
    }

    static func stalled(relay: String) -> XFTPClientError {
        XFTPClientError(
            .stalled,
            "upload stalled: the relay answers but accepts no more data",
            relay: relay, remedy: .sendChunksSingly)
    }

    static func retired(relay: String) -> XFTPClientError {
        XFTPClientError(
            .connectionLost, "the connection accepts no more requests", relay: relay,
            isUnsent: true)
    }

    static func busy(relay: String) -> XFTPClientError {
        XFTPClientError(
            .busy, "the relay is busy and did not process the request",
            relay: relay, remedy: .tryLater)
    }

    /// - Parameter code: why, in HTTP/2's terms.
    static func brokenOff(_ code: HTTP2ErrorCode, relay: String) -> XFTPClientError {
        XFTPClientError(
            .connectionLost, "the relay aborted the request (HTTP/2 error \(code.networkCode))",
            relay: relay)
    }

    /// The same of a request that never began: it may be made again.
    var beforeSending: XFTPClientError {
        XFTPClientError(kind, code: code, message, relay: subject ?? "", cause: cause, isUnsent: true)
    }

    static func violation(_ sentence: String, relay: String, cause: (any Error)? = nil) -> XFTPClientError {
        XFTPClientError(
            .protocolViolation,
            "\(sentence). This may not be an XFTP relay, or the relay is faulty.", relay: relay,
            cause: cause)
    }

    /// Why TCP to the relay or the proxy was not to be had.
    init(ofConnecting error: any Error, _ proxy: SOCKSProxy?, relay: String) {
        switch error {
        case let error as XFTPClientError: self = error
        default:
            let whom = proxy.map { "the proxy \($0.host):\($0.port)" } ?? "the relay"
            self.init(
                proxy == nil && Self.isRefusal(error) ? .connectionRefused : .unreachable,
                "cannot connect to \(whom): \(Self.reason(error))",
                relay: relay)
        }
    }

    /// Whether each address of the relay said that nothing listens there.
    private static func isRefusal(_ error: any Error) -> Bool {
        guard let error = error as? NIOConnectionError, !error.connectionErrors.isEmpty else { return false }
        return error.connectionErrors.allSatisfy { ($0.error as? IOError)?.errnoCode == ECONNREFUSED }
    }

    /// The same of a relay that was up before: it may be starting again.
    var ofRelayThatWasUp: XFTPClientError {
        XFTPClientError(
            .unreachable, code: code, message, relay: subject ?? "", cause: cause, isUnsent: isUnsent)
    }

    /// The system's words, of all the addresses that were tried the first one's.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            if let failure = error.connectionErrors.first { reason(failure.error) } else { "no such host" }
        case let error as IOError: Errno(rawValue: error.errnoCode).description.lowercased()
        default: "\(error)"
        }
    }

    /// How a connection ended, as the end of its pipeline heard of it.
    init(ofConnection error: any Error, relay: String) {
        switch error {
        case let error as XFTPClientError: self = error
        case let error as TLSError: self.init(ofTLS: error, relay: relay)
        case is SOCKSError.ConnectionFailed, is SOCKSError.NoValidAuthenticationMethod,
            is SOCKSError.InvalidAuthenticationSelection, is SOCKSError.InvalidProtocolVersion:
            self.init(
                .unreachable, "the SOCKS proxy could not connect",
                relay: relay, cause: error)
        case is any NIOHTTP2Error:
            self = .violation("the relay violated the HTTP/2 protocol", relay: relay, cause: error)
        default:
            self.init(
                .connectionLost, "lost the connection to the relay", relay: relay, cause: error)
        }
    }

    private init(ofTLS error: TLSError, relay: String) {
        switch error.kind {
        case .untrusted, .expired:
            self.init(
                .untrusted, "\(error.message). Nothing was sent.", relay: relay,
                cause: error.cause, remedy: error.remedy ?? .checkRelayAddress)
        case .incompatible, .refused:
            self.init(
                .incompatible, "\(error.message). This may not be an XFTP relay.", relay: relay,
                cause: error.cause)
        case .protocolViolation: self = .violation(error.message, relay: relay, cause: error.cause)
        case .truncated, .closed, .failed:
            self.init(.connectionLost, error.message, relay: relay, cause: error.cause)
        }
    }
}
