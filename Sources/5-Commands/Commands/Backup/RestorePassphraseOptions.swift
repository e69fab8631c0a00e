import ArgumentParser
import Valise

/// With what restored databases are encrypted, where not with the passphrase of the account.
struct RestorePassphraseOptions: ParsableArguments {
    @Option(
        help: "Encrypt with the new passphrase in this file; a final line break is ignored.",
        completion: .file())
    var newPassphraseFile: String?

    @Option(help: "Encrypt with the output of this sh command; a final line break is ignored.")
    var newPassphraseCommand: String?

    @Option(help: "Encrypt with the new passphrase from this open file descriptor.")
    var newPassphraseFd: Int32?

    @Flag(help: "Accept a new passphrase that is easy to guess.")
    var allowWeak = false

    @Flag(help: "Do not encrypt the databases. Asks for confirmation unless --yes is given.")
    var noEncryption = false

    func validate() throws {
        let given = [
            newPassphraseFile != nil, newPassphraseCommand != nil, newPassphraseFd != nil, noEncryption,
        ]
        guard given.count(where: { $0 }) <= 1 else {
            throw ValidationError(
                "Use only one of --new-passphrase-file, --new-passphrase-command, --new-passphrase-fd, "
                    + "--no-encryption")
        }
    }

    /// Nil where none is given.
    var given: PassphraseSource.Given? {
        PassphraseSource.Given(
            file: newPassphraseFile, command: newPassphraseCommand, descriptor: newPassphraseFd)
    }
}
