import Valise

/// Standard output as the destination of an archive.
enum ArchiveStreamOutput {
    /// Before anything is written.
    /// - Throws: ``CommandError`` with `invalid` for a terminal; `AccountError` if standard output is a file of the
    ///   account.
    static func check(_ location: AccountLocation) throws {
        guard !StandardStreams.outputIsTerminal else {
            throw CommandError(
                .invalid, "cannot write an archive to a terminal. Use a file or pipe as standard output.")
        }
        let file = try FileAttributes(descriptor: .standardOutput, path: "standard output")
        guard file.kind == .regular, let path = try? FileSystem().resolve("/dev/fd/1") else { return }
        try AccountPaths.refuse(path, for: "the archive", and: location)
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
