import Valise

/// An archive as it is named on the command line: a file, or what comes through standard input.
enum ArchiveInput {
    /// - Parameters:
    ///   - name: a path, or `-`.
    ///   - passphrase: must not come from standard input too.
    /// - Throws: ``CommandError``: `invalid` for a terminal; as `KeepArchive`.
    static func source(
        _ name: String, keeping place: KeepArchive.Place = .temporary, _ passphrase: PassphraseSourceOptions?,
        _ output: OutputOptions
    ) throws -> ImportArchive.Source {
        guard name == FileStreams.dash else { return .file(FilePath(name)) }
        guard passphrase?.passphraseFd != FileDescriptor.standardInput.rawValue else {
            throw CommandError(
                .invalid, "the archive and its passphrase cannot both come through standard input")
        }
        guard !StandardStreams.inputIsTerminal else {
            throw CommandError(
                .invalid, "an archive is not read from a terminal; send a file or a pipe into standard input")
        }
        return try output.run(KeepArchive(from: .standardInput, name: "standard input", in: place))
    }
}
