import CValisePlatform
import Valise

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Standard output and error, written without buffers between.
enum StandardStreams {
    /// A result in words to standard output: on a terminal its lines break at words.
    /// - Throws: as ``writeResult(_:)``.
    static func printText(_ text: String) throws(CommandError) {
        try printLine(TerminalText.wrapped(text, to: width(of: .standardOutput)))
    }

    /// A result to standard output as it is, and the end of its line. Nothing in it can drive the terminal.
    /// - Throws: as ``writeResult(_:)``.
    static func printLine(_ text: String) throws(CommandError) {
        try writeResult(Array((text.withoutControlsInLines + "\n").utf8))
    }

    /// Bytes of a result to standard output. A closed pipe is not a failure.
    /// - Throws: ``CommandError``, `noSpace` for a full disk.
    static func writeResult(_ bytes: some Sequence<UInt8>) throws(CommandError) {
        do {
            _ = try FileDescriptor.standardOutput.writeAll(bytes)
        } catch Errno.brokenPipe {
        } catch {
            throw .unwritable(error)
        }
    }

    /// One line to standard error, which on a terminal breaks at words. Where that fails, nobody is left to tell. Nothing
    /// in it can drive the terminal.
    static func printError(_ text: String) {
        let lines = TerminalText.wrapped(text.withoutControlsInLines, to: width(of: .standardError))
        writeToError(TerminalStyle.ofErrors.line(lines) + "\n")
    }

    /// One line to standard error, as programs speak: their name comes first.
    static func complain(_ text: String) { printError("\(program): \(text)") }

    /// The name that this program was called by, where it is one of ours.
    private static let program =
        FilePath(CommandLine.arguments.first ?? "").lastComponent?.string == "valise-relay"
        ? "valise-relay" : "valise"

    /// Text of ours that may drive the terminal.
    static func writeToError(_ text: String) {
        _ = try? FileDescriptor.standardError.writeAll(Array(text.utf8))
    }

    /// A QR code to standard error. Without its colors it is light on dark, which most cameras read too.
    static func printErrorCode(_ lines: [String]) {
        for line in TerminalStyle.ofErrors.refusesColor ? lines.map(QRCodeText.withoutColors) : lines {
            writeToError(line + "\n")
        }
    }

    static func flushAndExit(_ status: ExitStatus) -> Never {
        exit(status.rawValue)
    }

    /// The columns of a terminal, or those that the user wants (`COLUMNS`); nil for a file or a pipe.
    static func width(of stream: FileDescriptor) -> Int? {
        guard isatty(stream.rawValue) == 1 else { return nil }
        return max(narrowest, TerminalStyle.ofErrors.columns ?? Int(valise_terminal_width(stream.rawValue)))
    }

    private static let narrowest = 20

    static var outputIsTerminal: Bool { isatty(1) == 1 }
    static var errorIsTerminal: Bool { isatty(2) == 1 }
    static var inputIsTerminal: Bool { isatty(0) == 1 }
}

extension CommandError {
    /// The result of a command cannot be written to standard output.
    static func unwritable(_ error: any Error) -> CommandError {
        let isFull = [Errno.noSpace, .diskQuotaExceeded].contains(error as? Errno)
        return CommandError(
            isFull ? .noSpace : .failed,
            "cannot write the result to standard output: \(error). Changes already made are kept.")
    }
}
