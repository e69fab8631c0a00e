import Valise
import ValiseTerminal

/// An archive named on the command line: a file or standard input.
enum ArchiveInput {
    /// How standard input is called in a result.
    static let standardInput = "standard input"

    /// - Parameters:
    ///   - name: a path, or `-`.
    ///   - passphrase: must not come from standard input too.
    /// - Throws: ``CommandError``: `invalid` for a terminal.
    static func source(
        _ name: String, _ passphrase: PassphraseSourceOptions?
    ) throws -> ImportArchive.Source {
        guard name == FileStreams.dash else { return .file(FilePath(name)) }
        guard passphrase?.passphraseFd != FileDescriptor.standardInput.rawValue else {
            throw CommandError(
                .invalid, "cannot read both the archive and its passphrase from standard input")
        }
        guard !StandardStreams.inputIsTerminal else {
            throw CommandError(
                .invalid, "cannot read an archive from a terminal. Use a file or pipe as standard input.")
        }
        return .descriptor(.standardInput, name: FilePath(standardInput))
    }
}
