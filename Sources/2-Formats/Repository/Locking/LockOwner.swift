#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Who writes locks, and how it is found out whether another one still runs.
package struct LockOwner: Sendable {
    /// In locks only, which are encrypted.
    package let hostname: String
    package let username: String
    package let processID: Int64
    /// Whether a process of this machine exists.
    let isRunning: @Sendable (Int64) -> Bool

    /// - Parameters:
    ///   - hostname: of this machine.
    ///   - username: any word.
    ///   - processID: that of this process.
    ///   - isRunning: asks the system.
    package init(
        hostname: String = LockOwner.systemHostname, username: String = KeyFile.neutralUser,
        processID: Int64 = Int64(getpid()),
        isRunning: @escaping @Sendable (Int64) -> Bool = LockOwner.exists
    ) {
        self.hostname = hostname
        self.username = username
        self.processID = processID
        self.isRunning = isRunning
    }

    /// Empty where the system has none.
    package static var systemHostname: String {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether the system knows a process, of whatever user.
    package static func exists(_ process: Int64) -> Bool {
        guard let number = Int32(exactly: process), number > 0 else { return false }
        return kill(number, 0) == 0 || errno == EPERM
    }
}
