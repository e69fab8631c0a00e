package import SystemPackage
import ValiseEncoding
import ValiseFailures

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Asks a running relay through its control socket.
package enum ControlClient {
    /// A reply is shorter.
    private static let longestLine = 1 << 20
    /// In seconds.
    private static let patience = 30

    /// Sends a request and waits for the reply.
    ///
    /// - Parameters:
    ///   - request: what is asked of the relay.
    ///   - path: of the socket.
    /// - Throws: ``XFTPRelayError``: `notFound` where no relay runs; `denied`; what the relay answered when it failed.
    package static func ask(_ request: ControlRequest, at path: FilePath) throws -> ControlReply {
        let descriptor = try connect(path)
        defer { try? descriptor.close() }
        let line = try JSONText.encodeBytes(request) + [UInt8(ascii: "\n")]
        do {
            try descriptor.writeAll(line)
            return try JSONText.decode(ControlReply.self, from: try read(descriptor))
        } catch {
            throw XFTPRelayError(
                .failed, "invalid answer from the relay", subject: path.string,
                cause: error, remedy: .checkRelayLog)
        }
    }

    private static func connect(_ path: FilePath) throws(XFTPRelayError) -> FileDescriptor {
        try UnixAddress.check(path)
        let number = UnixAddress.makeSocket(datagram: false)
        guard number >= 0 else { throw failure(Errno(rawValue: errno), path) }
        var time = timeval(tv_sec: patience, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            unsafe setsockopt(number, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        guard unsafe UnixAddress.withAddress(path.string, { unsafe systemConnect(number, $0, $1) }) == 0
        else {
            let errno = Errno(rawValue: errno)
            close(number)
            throw failure(errno, path)
        }
        return FileDescriptor(rawValue: number)
    }

    private static func systemConnect(
        _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
    ) -> Int32 {
        #if canImport(Glibc)
            unsafe Glibc.connect(descriptor, address, length)
        #else
            Darwin.connect(descriptor, address, length)
        #endif
    }

    private static func failure(_ errno: Errno, _ path: FilePath) -> XFTPRelayError {
        switch errno {
        case .noSuchFileOrDirectory, .connectionRefused, .notDirectory:
            XFTPRelayError(.notFound, "no relay is running in this folder", subject: path.string)
        case .permissionDenied, .notPermitted:
            XFTPRelayError(.denied, "only the relay's owner can connect to it", subject: path.string)
        default: XFTPRelayError(.failed, "cannot connect to the relay: \(errno)", subject: path.string)
        }
    }

    private static func read(_ descriptor: FileDescriptor) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= longestLine {
            let count = try unsafe piece.withUnsafeMutableBytes { try unsafe descriptor.read(into: $0) }
            if count == 0 { break }
            bytes += piece[..<count]
            if bytes.last == UInt8(ascii: "\n") { break }
        }
        return bytes
    }
}
