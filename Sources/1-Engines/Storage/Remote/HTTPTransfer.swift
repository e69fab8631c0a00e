import CValiseCurl
import Synchronization
package import SystemPackage
import ValiseFailures
import ValiseFiles
package import ValiseSecrets

/// A client of HTTP whose requests block: one connection for each thread that has a request at the moment, kept for the next one.
///
/// Certificates are checked against the system's or those of a given file, proxies are those of the environment, as with curl.
package final class HTTPTransfer: Sendable {
    /// How the server is reached. The password goes to libcurl in memory and nowhere else.
    package struct Settings: Sendable {
        /// For basic authentication; nil for none.
        package var user: String?
        package var password: SharedSecret?
        /// A file of certificates in PEM that are trusted instead of the system's.
        package var authorities: FilePath?
        /// Until the connection is there.
        package var connectSeconds = 30
        /// Asked before each connection with the address that it leads to, a proxy's where there is one; nil for any.
        package var allows: (@Sendable (NetworkAddress) -> Bool)?
        /// Without a byte in either direction. A server may flush a large file to its disks before it answers.
        package var stallSeconds = 120
        /// Connections that are kept for later: as many as are mostly in use at once, as another one costs the time of a new
        /// handshake.
        package var mostIdleConnections = 16

        package init() {}
    }

    private let settings: Settings
    private let checkpoint: @Sendable () throws -> Void
    private let idle = Mutex<[CurlHandle]>([])

    /// - Parameters:
    ///   - settings: how the server is reached.
    ///   - checkpoint: asked about once a second, and whenever bytes move, by the thread of the request; throws to end it.
    package init(_ settings: Settings, checkpoint: @escaping @Sendable () throws -> Void = {}) {
        self.settings = settings
        self.checkpoint = checkpoint
    }

    /// Whether requests name a user.
    package var hasUser: Bool { settings.user != nil }

    /// Runs a request to its end, whatever the status of the answer is.
    ///
    /// - Parameters:
    ///   - request: what is asked.
    ///   - receiver: gets the body of a success, which the answer does not have then; nil where the answer has it.
    /// - Throws: ``StorageError`` where there is no complete answer: `unreachable`, `answer`, and others; whatever the
    ///   checkpoint, the source of the request or the receiver throws.
    package func perform(_ request: HTTPRequest, to receiver: HTTPReceiver? = nil) throws -> HTTPResponse {
        var request = request
        for _ in 0..<5 {
            let response = try performOnce(request, receiver)
            guard let target = try HTTPRedirect.target(of: response, to: request) else { return response }
            request.url = target
        }
        throw StorageError(.answer, .failed, "the server redirects again and again", request.shownURL)
    }

    private func performOnce(_ request: HTTPRequest, _ receiver: HTTPReceiver?) throws -> HTTPResponse {
        try checkpoint()
        let handle = try idle.withLock { $0.popLast() } ?? CurlHandle()
        let exchange = HTTPExchange(request, receiver, allows: settings.allows, checkpoint: checkpoint)
        let result = perform(request, by: handle, exchange)
        idle.withLock { if $0.count < settings.mostIdleConnections { $0.append(handle) } }
        if let failure = exchange.failure { throw failure }
        if result.outcome != VALISE_CURL_OK, let address = exchange.refusedAddress {
            throw StorageError(
                .general, .denied, "the address \(address.text) is not one of the public network",
                request.shownURL)
        }
        guard result.outcome == VALISE_CURL_OK || exchange.isCut else {
            throw StorageError(result, exchange, request)
        }
        return HTTPResponse(
            status: Int(result.status), headers: exchange.headers, body: exchange.body, isCut: exchange.isCut)
    }

    // MARK: In terms of C

    private func perform(
        _ request: HTTPRequest, by handle: CurlHandle, _ exchange: HTTPExchange
    ) -> valise_http_result {
        let lines = Self.lines(request.headers)
        return withExtendedLifetime(exchange) {
            unsafe lines.withUnsafeBytes { lines in
                unsafe request.method.text.withCString { method in
                    unsafe request.url.withCString { url in
                        var described = unsafe valise_http_request()
                        unsafe (described.method, described.url) = unsafe (method, url)
                        unsafe described.headers = lines.baseAddress?.assumingMemoryBound(to: CChar.self)
                        unsafe described.headers_size = lines.count
                        unsafe described.has_answer_body = request.method != .head
                        unsafe described.set(exchange)
                        if request.source != nil { unsafe described.setSource() }
                        return unsafe withBody(of: request, &described) { unsafe handle.perform($0) }
                    }
                }
            }
        }
    }

    /// Each with a zero byte for its end.
    private static func lines(_ headers: [(name: String, value: String)]) -> [UInt8] {
        var lines: [UInt8] = []
        for header in headers {
            lines += "\(header.name): \(header.value)".utf8
            lines.append(0)
        }
        return lines
    }

    private func withBody(
        of request: HTTPRequest, _ described: inout valise_http_request,
        _ body: (valise_http_request) -> valise_http_result
    ) -> valise_http_result {
        unsafe described.connect_milliseconds = settings.connectSeconds * 1000
        unsafe described.stall_seconds = settings.stallSeconds
        if let source = request.source {
            unsafe (described.has_body, described.body_size) = (true, source.size)
            return unsafe withIdentity(described, body)
        }
        guard let content = request.body else { return unsafe withIdentity(described, body) }
        unsafe described.has_body = true
        unsafe described.body_size = Int64(content.count)
        return unsafe content.withUnsafeBytes { bytes in
            unsafe described.body = bytes.baseAddress
            return unsafe withIdentity(described, body)
        }
    }

    private func withIdentity(
        _ described: valise_http_request, _ body: (valise_http_request) -> valise_http_result
    ) -> valise_http_result {
        var described = unsafe described
        return unsafe Self.withText(settings.authorities?.string) { authorities in
            unsafe Self.withText(settings.user) { user in
                unsafe (described.authorities, described.user) = unsafe (authorities, user)
                guard let password = settings.password else { return unsafe body(described) }
                return unsafe password.bytes.withTerminatedBytes { text in
                    unsafe described.password = text
                    return unsafe body(described)
                }
            }
        }
    }

    private static func withText(
        _ text: String?, _ body: (UnsafePointer<CChar>?) -> valise_http_result
    ) -> valise_http_result {
        guard let text else { return body(nil) }
        return unsafe text.withCString { unsafe body($0) }
    }
}

extension valise_http_request {
    /// Has the exchange collect the answer. The exchange outlives the request.
    fileprivate mutating func set(_ exchange: HTTPExchange) {
        unsafe context = Unmanaged.passUnretained(exchange).toOpaque()
        unsafe header = { context, bytes, size in
            unsafe HTTPExchange.of(context)?.takeHeader(.init(start: bytes, count: size)) ?? false
        }
        unsafe receive = { context, bytes, size in
            unsafe HTTPExchange.of(context)?.takeBody(.init(start: bytes, count: size)) ?? false
        }
        if exchange.asksForAddresses {
            unsafe connects = { context, bytes, size in
                unsafe HTTPExchange.of(context)?.allows(.init(start: bytes, count: size)) ?? false
            }
        }
        unsafe proceed = { context in unsafe HTTPExchange.of(context)?.proceed() ?? false }
    }

    /// Has the exchange give the body.
    fileprivate mutating func setSource() {
        unsafe give = { context, bytes, size in
            Int64(unsafe HTTPExchange.of(context)?.giveBody(into: .init(start: bytes, count: size)) ?? -1)
        }
        unsafe rewind = { context, place in unsafe HTTPExchange.of(context)?.rewindBody(to: place) ?? false }
    }
}

extension HTTPExchange {
    fileprivate static func of(_ context: UnsafeMutableRawPointer?) -> HTTPExchange? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
    }
}
