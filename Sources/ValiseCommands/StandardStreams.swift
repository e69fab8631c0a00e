import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Standard output and error, written without buffers between.
enum StandardStreams {
    /// One line to standard output.
    static func printLine(_ text: String) {
        write(text + "\n", to: .standardOutput)
    }

    /// One line to standard error.
    static func printError(_ text: String) {
        write(text + "\n", to: .standardError)
    }

    static func write(_ text: String, to descriptor: FileDescriptor) {
        // A closed pipe or a full disk behind standard output leaves nobody to tell.
        _ = try? descriptor.writeAll(Array(text.utf8))
    }

    static func flushAndExit(_ status: ExitStatus) -> Never {
        exit(status.rawValue)
    }

    static var outputIsTerminal: Bool { isatty(1) == 1 }
    static var errorIsTerminal: Bool { isatty(2) == 1 }
    static var inputIsTerminal: Bool { isatty(0) == 1 }
}
