package import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseContentStore
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseMounting
import ValiseSecrets

/// Shows the files of a store, a backup repository or an archive, read-only, until the task is cancelled or somebody unmounts them.
package struct MountTree: Operation {
    /// Where they are shown.
    package enum Place: Sendable {
        /// An empty folder, on which a file system is mounted.
        case folder(FilePath)
        /// A server of this machine; the port is 0 for any that is free.
        case webDAV(port: Int)
    }

    package var source: MountSource
    package var place: Place
    /// How much of a store is kept on disk, encrypted, in bytes.
    package var cacheSize: Int64 = 1 << 30
    /// Is told as soon as files can be read; ends it by throwing.
    package var started: @Sendable (StartedMount) async throws -> Void

    package init(
        _ source: MountSource, on place: Place,
        started: @escaping @Sendable (StartedMount) async throws -> Void
    ) {
        self.source = source
        self.place = place
        self.started = started
    }

    /// - Throws: `MountError`; `LocalServerError` where the port cannot be listened on; as opening the source.
    package func run(in context: OperationContext) async throws {
        let tree = try await MountedTree(source, cacheSize, in: context).tree
        let reported = ReportedProblems()
        let problem: @Sendable (MountProblem) -> Void = { problem in
            let note = MountNote.unreadable(problem.name, problem.failure.message)
            if reported.isNew(note.text) { context.note(note) }
        }
        switch place {
        case .folder(let folder):
            let mount = try await context.blocking { _ in
                try FuseMount.mount(tree, at: folder, problem: problem)
            }
            try await ServiceRun.run {
                try await started(StartedMount(source: tree.name, folder: mount.folder.string))
                await Self.serve(mount)
            }
        case .webDAV(let port):
            let server = try await WebDAVServer.start(tree, port: port, problem: problem)
            try await ServiceRun.run([LoopService { await server.run() }]) {
                try await started(
                    StartedMount(
                        source: tree.name, address: server.address, token: server.token, port: server.port))
                await Self.untilCancelled()
            }
        }
    }

    /// Until somebody unmounts it, or the task is cancelled, which unmounts it.
    private static func serve(_ mount: FuseMount) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await mount.waitUntilUnmounted() }
            group.addTask {
                await untilCancelled()
                await mount.unmount()
            }
            _ = await group.next()
            group.cancelAll()
        }
    }

    private static func untilCancelled() async {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
    }
}

/// Files that can be read.
package struct StartedMount: OperationReport {
    package let type = "mount"
    /// What is shown.
    package let source: String
    /// Where it is mounted.
    package let folder: String?
    /// Of the server; whoever knows it sees everything.
    package let address: String?
    /// As the password of any user name, for programs that ask for the address without it.
    package let token: String?
    package let port: Int?

    init(source: String, folder: String) {
        self.source = source
        self.folder = folder
        (address, token, port) = (nil, nil, nil)
    }

    init(source: String, address: String, token: String, port: Int) {
        self.source = source
        folder = nil
        (self.address, self.token, self.port) = (address, token, port)
    }

    private enum CodingKeys: CodingKey { case type, source, folder, address, token, port }
}

/// What is told while files are shown.
package enum MountNote: OperationNote {
    /// A file or a folder, and why: the program that asked for it only gets a number.
    case unreadable(String, String)

    package var text: String {
        switch self {
        case .unreadable(let name, let reason): name.isEmpty ? reason : "\(name): \(reason)"
        }
    }
}
