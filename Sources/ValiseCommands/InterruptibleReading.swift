import CPlatform
import Failures
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension FileDescriptor {
    /// Reads, and throws when the user interrupts, also in the instant between two looks at that.
    /// - Throws: ``Interruption``; `Errno`.
    func readUnlessInterrupted(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            if valise_interrupted() { throw Interruption() }
            var waiting = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
            // A signal that came before the wait does not end it, so it never waits long.
            let ready = poll(&waiting, 1, 200)
            if ready == 0 || ready < 0 && errno == EINTR { continue }
            do {
                return try read(into: buffer, retryOnInterrupt: false)
            } catch Errno.interrupted {
                continue
            }
        }
    }
}
