import CValisePlatform
package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Another program that this one has started.
///
/// All that is open here is closed for it but what it is given: a child shares the locks of files that it inherits
/// (decision 0040). Signals that are ignored here end it as usual.
package struct ChildProcess: Sendable {
    /// What one of the three standard streams of a program is connected to.
    package enum Stream: Sendable {
        /// What ours is connected to.
        case inherited
        /// `/dev/null`.
        case none
        /// A descriptor, of which the program gets a copy.
        case descriptor(FileDescriptor)
    }

    let identifier: pid_t

    /// - Parameters:
    ///   - program: a path, or a name that is looked for in `PATH`.
    ///   - arguments: without the program's name; other users can read them.
    ///   - streams: standard input, output and errors.
    ///   - variables: of the environment, beside those of this process or in their place.
    ///   - isApart: whether signals of the terminal, such as Control-C, do not reach it. It cannot ask anything there either.
    ///   - blocksInterrupts: whether Control-C does not end it although it may ask on the terminal: whoever started it does,
    ///     once that has finished what needs it.
    /// - Throws: `Errno` where it cannot be started. A program that does not exist may only end with an error.
    package init(
        _ program: String, _ arguments: [String], streams: (Stream, Stream, Stream),
        variables: [String: String] = [:], isApart: Bool = false, blocksInterrupts: Bool = false
    ) throws(Errno) {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in [streams.0, streams.1, streams.2].enumerated() {
            switch stream {
            case .inherited: break
            case .none:
                unsafe posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
            case .descriptor(let descriptor):
                unsafe posix_spawn_file_actions_adddup2(&actions, descriptor.rawValue, Int32(number))
            }
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var usual = sigset_t()
        unsafe sigemptyset(&usual)
        for signal in [SIGINT, SIGPIPE] { unsafe sigaddset(&usual, signal) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        // Never what the calling thread blocks: those that wait for work block all, and a child of theirs could not be ended.
        var blocked = sigset_t()
        unsafe sigemptyset(&blocked)
        if blocksInterrupts { unsafe sigaddset(&blocked, SIGINT) }
        unsafe posix_spawnattr_setsigmask(&attributes, &blocked)
        let flags =
            POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (isApart ? POSIX_SPAWN_SETPGROUP : 0)
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var texts = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        var environment = unsafe Self.environment(with: variables)
        defer {
            unsafe texts.forEach { unsafe free($0) }
            unsafe environment.forEach { unsafe free($0) }
        }
        var identifier: pid_t = 0
        let result = unsafe posix_spawnp(
            &identifier, program, &actions, &attributes, &texts, &environment)
        guard result == 0 else { throw Errno(rawValue: result) }
        self.identifier = identifier
    }

    private static func environment(with variables: [String: String]) -> [UnsafeMutablePointer<CChar>?] {
        var texts: [UnsafeMutablePointer<CChar>?] = unsafe []
        var place = unsafe environ
        while let text = unsafe place.pointee {
            let name = unsafe String(String(cString: text).prefix { $0 != "=" })
            if variables[name] == nil { unsafe texts.append(strdup(text)) }
            unsafe place += 1
        }
        for (name, value) in variables { unsafe texts.append(strdup("\(name)=\(value)")) }
        unsafe texts.append(nil)
        return unsafe texts
    }

    /// Waits until it has ended.
    /// - Returns: its exit status; nil where a signal ended it.
    package func wait() -> Int? {
        var status: Int32 = 0
        while unsafe waitpid(identifier, &status, 0) < 0 { guard errno == EINTR else { return nil } }
        guard case .status(let number) = Ending(status) else { return nil }
        return number
    }

    /// A pipe that no program inherits, even one that another thread is starting.
    /// - Throws: `Errno`
    package static func pipe() throws(Errno) -> (reading: FileDescriptor, writing: FileDescriptor) {
        var ends: [Int32] = [-1, -1]
        guard unsafe valise_pipe(&ends) == 0 else { throw Errno(rawValue: errno) }
        return (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
    }
}
