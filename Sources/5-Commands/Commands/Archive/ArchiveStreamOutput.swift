import Valise

/// Standard output as the place of an archive.
enum ArchiveStreamOutput {
    /// Before anything is written.
    /// - Throws: ``CommandError`` with `invalid` for a terminal; `AccountError` where standard output is a file of the
    ///   account, which the archive would pack itself.
    static func check(_ location: AccountLocation) throws {
        guard !StandardStreams.outputIsTerminal else {
            throw CommandError(
                .invalid,
                "an archive is not written to a terminal; send standard output into a file or a pipe")
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
                "the reader of standard output is gone before the archive was complete; what it has is no archive"
            )
        }
    }
}
