import Dispatch
package import Foundation
import Synchronization

/// What tests that run side by side start.
///
/// Foundation makes its pipes without `FD_CLOEXEC` and closes in a new process what was open when it looked. A pipe that
/// another thread makes meanwhile is inherited: its reader waits for an end that comes only when a stranger ends, and two
/// that inherited from each other wait for ever. So no pipe is made while a process is started.
private let starting = Mutex(())

extension Pipe {
    /// One that no process inherits but those that are given it.
    package static func uninherited() -> Pipe {
        starting.withLock { _ in
            let pipe = Pipe()
            for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
                _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
            }
            return pipe
        }
    }
}

extension Process {
    /// Starts it, with no pipe of others; use ``Foundation/Pipe/uninherited()`` for its own.
    package func start() throws {
        try starting.withLock { _ in try run() }
    }

    /// Ends it where it hangs: a test that fails says more than a run that never ends.
    /// - Returns: what has to be cancelled once it has ended.
    package func endingIfStuck() -> DispatchWorkItem {
        let process = processIdentifier
        let item = DispatchWorkItem { kill(process, SIGABRT) }
        let isSoak = ProcessInfo.processInfo.environment["VALISE_SOAK"] != nil
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(isSoak ? 10_000 : 600), execute: item)
        return item
    }
}
