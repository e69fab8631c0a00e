package import SystemPackage
import ValiseConcurrency
import ValiseFiles

/// A tree that is mounted as a file system, for as long as this object is there.
package final class FuseMount: Sendable {
    /// Where it is mounted, without links.
    package let folder: FilePath
    private let session: FuseSession
    private let ended: Promise<Void>

    private init(_ folder: FilePath, _ session: FuseSession, _ ended: Promise<Void>) {
        self.folder = folder
        self.session = session
        self.ended = ended
    }

    deinit { session.stop() }

    /// Mounts a tree, and answers the system's requests on threads of its own.
    ///
    /// - Parameters:
    ///   - tree: what is shown. It goes with the mount.
    ///   - folder: an empty one.
    ///   - options: how.
    ///   - problem: is told of each file and folder that cannot be read, on any thread.
    /// - Throws: ``MountError``: `failed` where libfuse cannot be loaded or refuses, `unsupported` where the system has no such
    ///   file systems, `denied`; `notFound`, `alreadyExists`, `inUse` for the folder; `FileError`.
    package static func mount(
        _ tree: any FileTree, at folder: FilePath, options: FuseOptions = FuseOptions(),
        problem: @escaping @Sendable (MountProblem) -> Void = { _ in }
    ) throws -> FuseMount {
        let point = try MountPoint(folder)
        try FuseLibrary.load()
        try MountPoint.checkSystem()
        let handler = FuseHandler(tree, problem: problem)
        let threads = max(2, options.threads)
        let session = try FuseSession(
            handler, at: point.path, options, isConstant: tree.isConstant, threads: threads)
        let ended = Promise<Void>()
        for _ in 0..<threads {
            WorkerThread.start {
                // The tree lasts at least as long as somebody may ask for it.
                withExtendedLifetime(tree) { if session.serve() { ended.keep(.success(())) } }
            }
        }
        return FuseMount(point.path, session, ended)
    }

    /// Unmounts it, whoever uses it: programs that have files open get errors from then on. Requests under way end where they
    /// can. Several times is once.
    package func unmount() async {
        session.stop()
        await waitUntilUnmounted()
    }

    /// Waits until it is unmounted, by ``unmount()`` or by another program. It does not end with the task that waits.
    package func waitUntilUnmounted() async { _ = await ended.result }
}
