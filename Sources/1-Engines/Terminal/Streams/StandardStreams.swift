import CValisePlatform
package import SystemPackage
import ValiseFailures
package import ValiseSecrets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Standard output and error, written without buffers between.
package enum StandardStreams {
    /// A result in words to standard output: on a terminal its lines break at words, and hints are marked as below an error.
    /// Nothing else in it can drive the terminal.
    /// - Throws: as ``writeResult(_:)``.
    package static func printText(_ text: String) throws(TerminalError) {
        let lines = TerminalText.wrapped(text.withoutControlsInLines, to: width(of: .standardOutput))
        let setup = TerminalSetup.current
        try writeResult(Array((setup.resultStyle.lines(lines, of: setup.speaker) + "\n").utf8))
    }

    /// A result to standard output as it is, and the end of its line. Nothing in it can drive the terminal.
    /// - Throws: as ``writeResult(_:)``.
    package static func printLine(_ text: String) throws(TerminalError) {
        try writeResult(Array((text.withoutControlsInLines + "\n").utf8))
    }

    /// Bytes of a result to standard output. A closed pipe is not a failure.
    /// - Throws: ``TerminalError``, `noSpace` for a full disk.
    package static func writeResult(_ bytes: some Sequence<UInt8>) throws(TerminalError) {
        do {
            _ = try FileDescriptor.standardOutput.writeAll(bytes)
        } catch Errno.brokenPipe {
        } catch {
            throw .unwritable(error)
        }
    }

    /// A secret as a line of standard output, copied nowhere on its way.
    /// - Throws: as ``writeResult(_:)``.
    package static func printSecret(_ secret: borrowing SecretBytes) throws {
        try unsafe secret.withBytes { try unsafe writeResult($0) }
        try writeResult([UInt8(ascii: "\n")])
    }

    /// One line to standard error, which on a terminal breaks at words. Where that fails, nobody is left to tell. Nothing
    /// in it can drive the terminal.
    package static func printError(_ text: String) {
        let lines = TerminalText.wrapped(text.withoutControlsInLines, to: width(of: .standardError))
        let setup = TerminalSetup.current
        writeToError(setup.style.line(lines, of: setup.speaker) + "\n")
    }

    /// One line to standard error, as programs speak: their name comes first.
    package static func complain(_ text: String) { printError("\(TerminalSetup.current.speaker): \(text)") }

    /// Text of ours that may drive the terminal.
    static func writeToError(_ text: String) {
        _ = try? FileDescriptor.standardError.writeAll(Array(text.utf8))
    }

    /// Removes a line of progress that is drawn over, and leaves the cursor where it began.
    static func clearProgress() {
        if errorIsTerminal, TerminalSetup.current.style.redraws { writeToError("\r\u{1b}[K") }
    }

    /// A picture of colored lines to standard error, such as a QR code. Without its colors, as a dumb terminal gets it, it is
    /// light on dark, which most cameras read too.
    package static func printPicture(_ lines: [String]) {
        for line in TerminalStyle.ofErrors.refusesColor ? lines.map(TerminalStyle.withoutColors) : lines {
            writeToError(line + "\n")
        }
    }

    /// Whether a picture and a line below it fit the window of standard error.
    package static func hasSpace(columns: Int, rows: Int) -> Bool {
        columns <= Int(valise_terminal_width(2)) && rows < Int(valise_terminal_height(2))
    }

    /// The columns of a terminal, or those that the user wants (`COLUMNS`); nil for a file or a pipe.
    package static func width(of stream: FileDescriptor) -> Int? {
        guard isatty(stream.rawValue) == 1 else { return nil }
        return max(narrowest, TerminalStyle.ofErrors.columns ?? Int(valise_terminal_width(stream.rawValue)))
    }

    private static let narrowest = 20

    package static var outputIsTerminal: Bool { isatty(1) == 1 }
    package static var errorIsTerminal: Bool { isatty(2) == 1 }
    package static var inputIsTerminal: Bool { isatty(0) == 1 }
}

extension String {
    /// Without control characters but line breaks and tabulators.
    package var withoutControlsInLines: String { replacingControls(but: ["\n", "\t"]) { _ in "?" } }
}
