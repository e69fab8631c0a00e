import NIOCore
import NIOHTTP1
import ValiseConcurrency
import ValiseFailures

/// A connection of a program: one request after the other.
struct WebDAVConnection: Sendable {
    let server: WebDAVServer
    let channel: any Channel
    /// Is cancelled when the program has gone.
    let cancellation: Cancellation

    /// In bytes: what asks for properties is short.
    private static let mostOfBody = 64 << 10

    init(_ server: WebDAVServer, _ channel: any Channel) {
        self.server = server
        self.channel = channel
        let cancellation = Cancellation()
        self.cancellation = cancellation
        channel.closeFuture.whenComplete { _ in cancellation.cancel() }
    }

    /// - Throws: where the connection ends before an answer is complete.
    func run(_ requests: LocalServer.Requests) async throws {
        var current: HTTPRequestHead?
        var body: [UInt8] = []
        for try await part in requests {
            switch part {
            case .head(let head):
                // What would send something that nobody reads is not waited for.
                guard Self.methods.contains(head.method.rawValue) else {
                    return try await refuse(head)
                }
                current = head
                body = []
            case .body(let bytes):
                guard let head = current else { return }
                guard body.count + bytes.readableBytes <= Self.mostOfBody else {
                    return try await send(
                        .text("This request is too large.", status: 413), head, isLast: true)
                }
                body += bytes.readableBytesView
            case .end:
                guard let head = current else { return }
                current = nil
                try await answer(head, body)
                guard head.isKeepAlive else { return }
            }
        }
    }

    private static let methods = ["OPTIONS", "GET", "HEAD", "PROPFIND"]

    private func verdict(on head: HTTPRequestHead) -> WebDAVAccess.Verdict {
        server.access.verdict(on: head.uri) { name in
            head.headers.filter { $0.name.lowercased() == name }.map(\.value)
        }
    }

    /// What would change something, or is no method of ours.
    private func refuse(_ head: HTTPRequestHead) async throws {
        switch verdict(on: head) {
        case .allowed:
            try await send(.text("These files can only be read.", status: 405), head, isLast: true)
        case .unknown: try await send(.unknown, head, isLast: true)
        case .refused(let status, let reason):
            try await send(.text(reason, status: status), head, isLast: true)
        }
    }

    private func answer(_ head: HTTPRequestHead, _ body: [UInt8]) async throws {
        switch verdict(on: head) {
        case .unknown: try await send(.unknown, head)
        case .refused(let status, let reason): try await send(.text(reason, status: status), head)
        case .allowed(let path, let prefix):
            server.activity.begin()
            defer { server.activity.end() }
            switch head.method.rawValue {
            case "OPTIONS": try await send(.options, head)
            case "PROPFIND": try await answerProperties(WebDAVTarget(path, prefix), head, body)
            default: try await answerContent(WebDAVTarget(path, prefix), head)
            }
        }
    }

    // MARK: Parts of answers

    /// Runs what may block. It ends early where it can once the program has gone.
    func work<Value: Sendable>(_ body: @escaping @Sendable (() throws -> Void) throws -> Value) async throws
        -> Value
    {
        try await BlockingExecutor.shared.run {
            try body { if cancellation.isCancelled || Task.isCancelled { throw Interruption() } }
        }
    }

    /// Returns when the system has taken all of it: what is closed then has nothing left to send.
    func write(_ part: HTTPServerResponsePart) async throws { try await channel.writeAndFlush(part).get() }

    func write(_ bytes: [UInt8]) async throws {
        if !bytes.isEmpty { try await write(.body(.byteBuffer(ByteBuffer(bytes: bytes)))) }
    }

    func send(_ response: WebDAVResponse, _ head: HTTPRequestHead, isLast: Bool = false) async throws {
        try await write(.head(response.head(for: head, size: Int64(response.body.count), isLast: isLast)))
        if head.method != .HEAD { try await write(response.body) }
        try await write(.end(nil))
    }

    func send(_ error: any Error, _ target: WebDAVTarget, _ head: HTTPRequestHead) async throws {
        guard let failure = error as? any Failure, !(error is Interruption) else { throw error }
        server.tell(failure, at: target.path)
        try await send(.failure(failure), head)
    }
}

/// What a request is about.
struct WebDAVTarget: Sendable {
    let path: RequestPath
    /// Encoded, without a slash at its end.
    let address: String

    init(_ path: RequestPath, _ prefix: String) {
        self.path = path
        address = path.names.reduce(prefix) { "\($0)/\(RequestPath.encoded($1))" }
    }
}
