#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The manager of services that started a relay, as systemd does it.
package enum ServiceManager {
    /// Tells that a relay is ready, or stops.
    ///
    /// - Parameters:
    ///   - state: such as `READY=1`.
    ///   - path: what the variable `NOTIFY_SOCKET` says.
    /// - Returns: whether it was told.
    @discardableResult
    package static func notify(_ state: String, socket path: String) -> Bool {
        let descriptor = UnixAddress.makeSocket(datagram: true)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let bytes = Array(state.utf8)
        return unsafe UnixAddress.withAddress(path) { address, length in
            unsafe sendto(descriptor, bytes, bytes.count, 0, address, length)
        } == bytes.count
    }
}
