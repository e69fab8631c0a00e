import CValiseFuse
import Synchronization
import SystemPackage
import ValiseFailures

/// A mounted tree of libfuse, until it is unmounted.
final class FuseSession: Sendable {
    private struct State {
        /// The address of libfuse's session; nil once it is unmounted. An address may go to another thread, a pointer not.
        var address: UInt?
        /// Threads that serve.
        var threads: Int
    }

    private let handler: FuseHandler
    private let state: Mutex<State>

    /// Mounts it. Nobody is answered before ``serve()``.
    ///
    /// - Parameter threads: so many call ``serve()``.
    /// - Throws: ``MountError``: `denied`, `failed`.
    init(
        _ handler: FuseHandler, at folder: FilePath, _ options: FuseOptions, isConstant: Bool, threads: Int
    ) throws(MountError) {
        self.handler = handler
        let context = unsafe Unmanaged.passRetained(handler)
        var tree = unsafe FuseOperations.table(context.toOpaque())
        var reason = [CChar](repeating: 0, count: Int(valise_fuse_reason_size))
        let session = unsafe folder.withPlatformString { path in
            unsafe valise_fuse_mount(path, options.text, isConstant ? Self.long : Self.short, &tree, &reason)
        }
        guard let session = unsafe session else {
            unsafe context.release()
            let words = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw Self.refused(String(decoding: words, as: UTF8.self), folder)
        }
        state = Mutex(State(address: UInt(bitPattern: session), threads: threads))
    }

    /// For how many seconds the kernel remembers names and attributes.
    private static let long: Double = 3600
    private static let short: Double = 3

    private static func refused(_ reason: String, _ folder: FilePath) -> MountError {
        // fusermount3 and the kernel say why themselves where there is no reason.
        let text = reason.isEmpty ? "the system refuses to mount here" : "cannot mount here: \(reason)"
        let isDenied = reason.isEmpty || reason.contains("ermi")
        return MountError(isDenied ? .denied : .failed, text, folder, remedy: .serveByWebDAV)
    }

    /// Answers requests on this thread until the tree is unmounted or ``stop()`` is called.
    /// - Returns: whether this was the last thread: the tree is unmounted then.
    func serve() -> Bool {
        if let address = state.withLock({ $0.address }) {
            unsafe valise_fuse_serve(OpaquePointer(bitPattern: address))
        }
        // Otherwise those that wait for something slow keep the others.
        handler.stop()
        let left = state.withLock { state -> UInt? in
            state.threads -= 1
            guard state.threads == 0 else { return nil }
            defer { state.address = nil }
            return state.address
        }
        guard let left else { return false }
        unsafe valise_fuse_unmount(OpaquePointer(bitPattern: left))
        unsafe Unmanaged.passUnretained(handler).release()
        return true
    }

    /// Ends all of it soon. Several times is once.
    func stop() {
        handler.stop()
        state.withLock { state in
            if let address = state.address { unsafe valise_fuse_stop(OpaquePointer(bitPattern: address)) }
        }
    }
}
