import Valise

/// Standard output as the destination of an archive.
enum ArchiveStreamOutput {
    /// Before anything is written.
    /// - Throws: ``CommandError`` with `invalid` for a terminal.
    static func check() throws {
        guard !StandardStreams.outputIsTerminal else {
            throw CommandError(
                .invalid,
                "cannot write an archive to a terminal. Redirect standard output to a file or a pipe.")
        }
    }

    /// Writes the next bytes.
    static func write(_ bytes: UnsafeRawBufferPointer) throws {
        do {
            try FileStreams.output.write(bytes)
        } catch is ReaderGone {
            throw CommandError(
                .failed,
                "standard output was closed before the archive was complete. The output is not a valid archive."
            )
        }
    }
}
