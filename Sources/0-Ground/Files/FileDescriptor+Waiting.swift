import CValisePlatform
package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension FileDescriptor {
    /// Reads what is there, and calls the checkpoint at least five times in a second while nothing is.
    /// - Throws: `Errno`; whatever the checkpoint throws.
    package func read(
        into memory: UnsafeMutableRawBufferPointer, checkpoint: () throws -> Void
    ) throws -> Int {
        while true {
            try checkpoint()
            var waiting = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
            // A signal that came before the wait does not end it, so it never waits long.
            let ready = unsafe poll(&waiting, 1, 200)
            if ready == 0 || ready < 0 && errno == EINTR { continue }
            do {
                return try unsafe read(into: memory, retryOnInterrupt: false)
            } catch Errno.interrupted {
                continue
            }
        }
    }

    /// Writes what is taken at once, and calls the checkpoint at least five times in a second while nothing is.
    ///
    /// A signal wakes only one thread, which need not be the one that waits here: so a pipe is asked before.
    ///
    /// - Parameters:
    ///   - bytes: for a pipe at most `PIPE_BUF`, which it takes without waiting once it takes anything.
    ///   - checkpoint: is called while it waits; throws to stop.
    /// - Returns: how many bytes were written.
    /// - Throws: `Errno`, also `EPIPE` in a program that does not ignore `SIGPIPE`; whatever the checkpoint throws.
    package func write(
        _ bytes: UnsafeRawBufferPointer, checkpoint: () throws -> Void
    ) throws -> Int {
        while true {
            try checkpoint()
            var waiting = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
            let ready = unsafe poll(&waiting, 1, 200)
            if ready == 0 || ready < 0 && errno == EINTR { continue }
            let count = unsafe valise_write(rawValue, bytes.baseAddress, bytes.count)
            guard count < 0 else { return count }
            guard [EINTR, EAGAIN].contains(errno) else { throw Errno(rawValue: errno) }
        }
    }
}
