package import NIOCore
import NIOPosix
package import SystemPackage
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
    private let threads: NIOThreadPool

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
        let threads = NIOThreadPool(numberOfThreads: 1)
        threads.start()
        do {
            let folder = path.appendingSuffix(".new")
            try await threads.runIfActive { try Self.makeSpace(path, folder) }
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
                            IdleStateHandler(readTimeout: patience), ControlHandler(threads, answer),
                        ])
                    }
                }
                .bind(unixDomainSocketPath: folder.appending(socketName).string).get()
            do {
                try await threads.runIfActive { try Self.name(path, folder) }
            } catch {
                try? await listener.close()
                throw error
            }
            return ControlSocket(path, listener, threads)
        } catch {
            try? await threads.shutdownGracefully()
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

    private init(_ path: FilePath, _ listener: any Channel, _ threads: NIOThreadPool) {
        self.path = path
        self.listener = listener
        self.threads = threads
    }

    /// Listens no longer, and removes the socket.
    package func close() async {
        try? await listener.close()
        // A socket that nobody listens on is taken for none, too.
        try? await threads.runIfActive { [path] in try FileSystem().remove(path) }
        try? await threads.shutdownGracefully()
    }
}

/// Reads one line, and answers it.
private final class ControlHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let threads: NIOThreadPool
    private let answer: @Sendable (ControlRequest) -> ControlReply
    private var line: [UInt8] = []
    private var isAnswering = false

    init(_ threads: NIOThreadPool, _ answer: @escaping @Sendable (ControlRequest) -> ControlReply) {
        self.threads = threads
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isAnswering else { return }
        line += unwrapInboundIn(data).readableBytesView
        if let end = line.firstIndex(of: UInt8(ascii: "\n")) {
            isAnswering = true
            reply(to: Array(line[..<end]), context)
        } else if line.count > ControlSocket.longestLine {
            context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent, !isAnswering { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func reply(to line: [UInt8], _ context: ChannelHandlerContext) {
        let (answer, channel) = (answer, context.channel)
        threads.runIfActive(eventLoop: context.eventLoop) {
            let reply: ControlReply
            do {
                reply = answer(try JSONText.decode(ControlRequest.self, from: line))
            } catch {
                reply = .failure(
                    code: FailureCode.invalid.rawValue, message: "invalid request: \(error)")
            }
            return ByteBuffer(bytes: try JSONText.encodeBytes(reply) + [UInt8(ascii: "\n")])
        }.flatMap { channel.writeAndFlush($0) }.whenComplete { _ in channel.close(promise: nil) }
    }
}
