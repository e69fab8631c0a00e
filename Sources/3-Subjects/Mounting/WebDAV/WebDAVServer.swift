import ValiseConcurrency
import ValiseFailures

/// Serves a tree to programs of this machine by WebDAV, class 1 and read-only (RFC 4918): for where no file system can be
/// mounted, and for programs that need none.
package final class WebDAVServer: Sendable {
    /// Where the tree is. Whoever knows it sees everything; nobody else does.
    package var address: String { access.address }
    /// The same as a password, for programs that ask for the address without it.
    package var token: String { access.token.text }
    /// The one it listens on.
    package var port: Int { server.port }
    /// When something was last asked for.
    package var activity: ServerActivity { server.activity }

    let tree: any FileTree
    let access: WebDAVAccess
    private let server: LocalServer
    private let problem: @Sendable (MountProblem) -> Void

    /// Begins to listen. Nobody is answered before ``run()``.
    /// - Parameters:
    ///   - tree: what is shown. It goes with the server.
    ///   - port: 0 for any that is free.
    ///   - problem: is told of each file and folder that cannot be read, on any thread.
    /// - Throws: ``LocalServerError``: `inUse`, `denied`, `failed`.
    package static func start(
        _ tree: any FileTree, port: Int = 0, problem: @escaping @Sendable (MountProblem) -> Void = { _ in }
    ) async throws -> WebDAVServer {
        WebDAVServer(tree, try await LocalServer.start(port: port), problem)
    }

    private init(
        _ tree: any FileTree, _ server: LocalServer, _ problem: @escaping @Sendable (MountProblem) -> Void
    ) {
        self.tree = tree
        self.server = server
        self.problem = problem
        access = WebDAVAccess(port: server.port)
    }

    /// Answers until the task is cancelled; then nothing is left open.
    package func run() async {
        await server.run { channel, requests in
            try await WebDAVConnection(self, channel).run(requests)
        }
    }

    /// Tells of a failure.
    /// - Parameter path: where it was.
    func tell(_ error: any Error, at path: RequestPath) {
        if let problem = MountProblem(Array(path.names.joined(separator: [UInt8(ascii: "/")])), error) {
            self.problem(problem)
        }
    }
}
