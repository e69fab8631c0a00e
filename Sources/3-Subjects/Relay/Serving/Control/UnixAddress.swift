import SystemPackage
import ValiseFailures

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Addresses of sockets that have a path.
enum UnixAddress {
    /// What the system takes, without the zero at the end.
    private static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// - Throws: ``XFTPRelayError``: `invalid` for a path that is too long.
    static func check(_ path: FilePath) throws(XFTPRelayError) {
        guard path.string.utf8.count <= longestPath else {
            throw XFTPRelayError(
                .invalid,
                "a socket path can have at most \(longestPath) bytes",
                subject: path.string, remedy: .chooseAnotherFolder)
        }
    }

    static func makeSocket(datagram: Bool) -> Int32 {
        #if canImport(Glibc)
            let kind = Int32((datagram ? SOCK_DGRAM : SOCK_STREAM).rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #else
            let kind = datagram ? SOCK_DGRAM : SOCK_STREAM
        #endif
        return socket(AF_UNIX, kind, 0)
    }

    /// Lends the address of a path that was checked; a first `@` stands for a name without a file, as systemd has it.
    static func withAddress<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8.prefix(longestPath))
        let isAbstract = bytes.first == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let length = socklen_t(offset + bytes.count + (isAbstract ? 0 : 1))
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
        }
    }
}
