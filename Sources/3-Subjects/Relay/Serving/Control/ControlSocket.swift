package import NIOCore
import NIOPosix
import Synchronization
package import SystemPackage
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// The socket of a running relay that only its owner can open.
///
/// A client sends one line of JSON, gets one, and the connection ends.
package final class ControlSocket: Sendable {
    /// A request is shorter.
    static let longestLine = 4096
    /// How long a client may take for its line.
    private static let patience = TimeAmount.seconds(10)

    private let path: FilePath
    private let listener: any Channel
    private let answers: ControlAnswers

    /// Listens, in the place of a socket that a killed relay left.
    ///
    /// - Parameters:
    ///   - path: in a folder that is the relay's alone, and locked by it.
    ///   - group: stays the caller's.
    ///   - answer: called on a thread that may block, one request after another.
    /// - Throws: ``XFTPRelayError``; `FileError`.
    package static func open(
        _ path: FilePath, group: any EventLoopGroup,
        answer: @escaping @Sendable (ControlRequest) -> ControlReply
    ) async throws -> ControlSocket {
        let answers = ControlAnswers(answer)
        do {
            let folder = path.appendingSuffix(".new")
            try await BlockingExecutor.shared.run { try Self.makeSpace(path, folder) }
            let listener = try await ServerBootstrap(group: group)
                // As where clients connect: without descriptors it pauses instead of trying without end.
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(AcceptPause())
                    }
                }
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers([
                            IdleStateHandler(readTimeout: patience), ControlHandler(answers),
                        ])
                    }
                }
                .bind(unixDomainSocketPath: folder.appending(socketName).string).get()
            do {
                try await BlockingExecutor.shared.run { try Self.name(path, folder) }
            } catch {
                try? await listener.close()
                throw error
            }
            return ControlSocket(path, listener, answers)
        } catch {
            if let error = error as? any Failure { throw error }
            throw XFTPRelayError(
                .failed, "cannot open the control socket: \(error)", subject: path.string,
                cause: error)
        }
    }

    private static let socketName = "s"

    /// The socket is made in a folder that nobody else may enter: at no moment can others connect.
    private static func makeSpace(_ path: FilePath, _ folder: FilePath) throws {
        try UnixAddress.check(folder.appending(socketName))
        let fileSystem = FileSystem()
        try removeSocket(path)
        // A killed relay may have left it.
        try fileSystem.removeTree(folder)
        try fileSystem.makeDirectory(folder)
    }

    private static func name(_ path: FilePath, _ folder: FilePath) throws {
        let fileSystem = FileSystem()
        let socket = folder.appending(socketName)
        try fileSystem.setPermissions(.ownerReadWrite, of: socket)
        try fileSystem.rename(socket, to: path)
        try fileSystem.removeDirectory(folder)
    }

    private static func removeSocket(_ path: FilePath) throws {
        let fileSystem = FileSystem()
        guard let found = try fileSystem.attributes(of: path) else { return }
        guard found.kind == .special else {
            throw XFTPRelayError(
                .alreadyExists, "a file that is not a socket has the control socket's name",
                subject: path.string)
        }
        try fileSystem.remove(path)
    }

    private init(_ path: FilePath, _ listener: any Channel, _ answers: ControlAnswers) {
        self.path = path
        self.listener = listener
        self.answers = answers
    }

    /// Listens no longer, and removes the socket.
    package func close() async {
        try? await listener.close()
        // A socket that nobody listens on is taken for none, too.
        try? await BlockingExecutor.shared.run { [path, answers] in
            answers.end()
            try FileSystem().remove(path)
        }
    }
}

/// Answers one request after another, on a thread that may block.
private final class ControlAnswers: Sendable {
    private let queue = SerialQueue()
    private let hasEnded = Atomic(false)
    private let answer: @Sendable (ControlRequest) -> ControlReply

    init(_ answer: @escaping @Sendable (ControlRequest) -> ControlReply) { self.answer = answer }

    /// Answers a line, and closes the connection.
    func add(_ line: [UInt8], from channel: any Channel) {
        queue.add { [self] in
            guard !hasEnded.load(ordering: .acquiring) else { return channel.close(promise: nil) }
            do {
                let text = try JSONText.encodeBytes(reply(to: line)) + [UInt8(ascii: "\n")]
                channel.writeAndFlush(ByteBuffer(bytes: text)).whenComplete { _ in
                    channel.close(promise: nil)
                }
            } catch {
                // Whoever asked sees that there is no answer.
                channel.close(promise: nil)
            }
        }
    }

    private func reply(to line: [UInt8]) -> ControlReply {
        do {
            return answer(try JSONText.decode(ControlRequest.self, from: line))
        } catch {
            return .failure(code: FailureCode.invalid.rawValue, message: "invalid request: \(error)")
        }
    }

    /// Waits for an answer that is under way; there is none after it. Blocks.
    func end() {
        hasEnded.store(true, ordering: .releasing)
        queue.drain()
    }
}

/// Reads one line, and answers it.
private final class ControlHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answers: ControlAnswers
    private var line: [UInt8] = []
    private var isAnswering = false

    init(_ answers: ControlAnswers) { self.answers = answers }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isAnswering else { return }
        line += unwrapInboundIn(data).readableBytesView
        if let end = line.firstIndex(of: UInt8(ascii: "\n")) {
            isAnswering = true
            answers.add(Array(line[..<end]), from: context.channel)
        } else if line.count > ControlSocket.longestLine {
            context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent, !isAnswering { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
