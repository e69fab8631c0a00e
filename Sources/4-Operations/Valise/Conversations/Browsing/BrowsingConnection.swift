import NIOCore
import NIOHTTP1
import ValiseChatLog
import ValiseConcurrency
import ValiseFailures
import ValiseMounting

/// A connection of a browser: one request after the other.
struct BrowsingConnection {
    private let server: BrowsingServer
    private let channel: any Channel
    /// Is cancelled when the browser has gone.
    private let cancellation: Cancellation

    private static let pieceSize = 256 << 10

    init(_ server: BrowsingServer, _ channel: any Channel) {
        self.server = server
        self.channel = channel
        let cancellation = Cancellation()
        self.cancellation = cancellation
        channel.closeFuture.whenComplete { _ in cancellation.cancel() }
    }

    /// - Throws: where the connection ends before an answer is complete.
    func run(_ requests: LocalServer.Requests) async throws {
        var current: HTTPRequestHead?
        for try await part in requests {
            switch part {
            case .head(let head):
                // What would send more than a head is not waited for.
                guard head.method == .GET || head.method == .HEAD else {
                    return try await answer(head)
                }
                current = head
            case .body: continue
            case .end:
                guard let head = current else { return }
                current = nil
                try await answer(head)
                guard head.isKeepAlive else { return }
            }
        }
    }

    private func answer(_ head: HTTPRequestHead) async throws {
        let request = BrowsingAccess.Request(
            method: head.method.rawValue, target: head.uri,
            fields: head.headers.map { (name: $0.name, value: $0.value) })
        switch server.access.verdict(on: request) {
        case .refused(let status, let reason):
            try await send(.text(reason, status: status), head)
        case .entered(let cookie):
            server.activity.begin()
            defer { server.activity.end() }
            try await BlockingExecutor.shared.run { server.removeBrowserStart() }
            try await send(.entrance(cookie: cookie), head)
        case .allowed:
            server.activity.begin()
            defer { server.activity.end() }
            try await answer(to: head)
        }
    }

    private func answer(to head: HTTPRequestHead) async throws {
        guard let address = PageAddress(head.uri) else {
            return try await send(.text("This is no address of a page.", status: 400), head)
        }
        let answer: ServedPages.Answer
        do {
            answer = try await server.desk.answer(to: address, cancellation)
        } catch let error as any Failure {
            return try await send(.failure(error), head)
        }
        switch answer {
        case .page(let bytes): try await send(.page(bytes), head)
        case .file(let bytes, let name): try await send(.file(bytes, name: name), head)
        case .elsewhere(let address): try await send(.redirect(to: address), head)
        case .missing: try await send(.text("There is no such page.", status: 404), head)
        case .media(let media): try await send(media, head)
        }
    }

    // MARK: Sending

    /// Returns when the system has taken all of it: what is closed then has nothing left to send.
    private func write(_ part: HTTPServerResponsePart) async throws {
        try await channel.writeAndFlush(part).get()
    }

    private func send(_ response: BrowsingResponse, _ head: HTTPRequestHead) async throws {
        try await write(.head(response.head(for: head)))
        if head.method != .HEAD, !response.body.isEmpty {
            try await write(.body(.byteBuffer(ByteBuffer(bytes: response.body))))
        }
        try await write(.end(nil))
    }

    private func send(_ media: ServedMedia, _ head: HTTPRequestHead) async throws {
        do {
            try await BlockingExecutor.shared.run {
                try media.verify { if Task.isCancelled || cancellation.isCancelled { throw Interruption() } }
            }
        } catch let error as any Failure {
            return try await send(.failure(error), head)
        }
        let range = RequestedRange(head.headers.first(name: "range"), size: media.size)
        let response = BrowsingResponse.media(media, range)
        try await write(.head(response.head(for: head)))
        if head.method != .HEAD { try await send(media, response.range) }
        try await write(.end(nil))
    }

    private func send(_ media: ServedMedia, _ range: Range<Int64>) async throws {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = Int(min(Int64(Self.pieceSize), range.upperBound - offset))
            let bytes = try await BlockingExecutor.shared.run { [offset] in
                try media.bytes(at: offset, count: count)
            }
            try await write(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
            offset += Int64(count)
        }
    }
}
