import ArgumentParser
import Valise

/// Where a passphrase comes from that shall take the place of another one.
struct NewPassphraseOptions: ParsableArguments {
    @Option(
        help: "Read the new passphrase from this file, without the line break at its end.",
        completion: .file())
    var newPassphraseFile: String?

    @Option(
        help: "Run this command with sh; the new passphrase is what it prints, without the last line break.")
    var newPassphraseCommand: String?

    @Option(help: "Read the new passphrase from this open file descriptor.")
    var newPassphraseFd: Int32?

    @Flag(help: "Remove the encryption. Asks twice, or wants --yes.")
    var decrypt = false

    @Flag(help: "Answer the questions of --decrypt with yes.")
    var yes = false

    func validate() throws {
        let sources = [
            newPassphraseFile != nil, newPassphraseCommand != nil, newPassphraseFd != nil, decrypt,
        ]
        guard sources.count(where: { $0 }) <= 1 else {
            throw ValidationError(
                "Give only one of --new-passphrase-file, --new-passphrase-command, --new-passphrase-fd, "
                    + "--decrypt.")
        }
    }

    /// The new passphrase, empty for no encryption; asked for twice where no option says it.
    func passphrase(canAsk: Bool, _ output: OutputOptions) throws -> SecretBytes {
        if decrypt { return try withoutEncryption(canAsk: canAsk) }
        let passphrase = try given() ?? asked(canAsk: canAsk)
        guard !passphrase.isEmpty else {
            throw CommandError(
                .invalid,
                "the new passphrase is empty; to have no encryption use --decrypt; nothing was changed")
        }
        passphrase.warnings.forEach(output.note)
        return passphrase
    }

    private func given() throws -> SecretBytes? {
        try PassphraseSourceOptions.source(
            file: newPassphraseFile, command: newPassphraseCommand, descriptor: newPassphraseFd
        )?.read()
    }

    private func asked(canAsk: Bool) throws -> SecretBytes {
        guard canAsk else {
            throw CommandError(
                .invalid,
                "a new passphrase is needed and nobody can be asked; give --new-passphrase-file, "
                    + "--new-passphrase-command, --new-passphrase-fd or --decrypt")
        }
        return try Terminal.askSecretTwice()
    }

    private func withoutEncryption(canAsk: Bool) throws -> SecretBytes {
        if !yes {
            try Terminal.confirmNoEncryption("--decrypt", canAsk: canAsk, otherwise: "nothing was changed")
        }
        return try SecretBytes.empty()
    }
}

extension SecretBytes {
    /// What the user should know of a passphrase before it is set.
    var warnings: [String] {
        var warnings: [String] = []
        if looksLikeRawKey() {
            warnings.append(
                "warning: this passphrase has the form x'…' of a raw key; SQLCipher uses its digits as the key "
                    + "itself and derives nothing from it")
        }
        if !withBytes({ isValidUTF8($0) }) {
            warnings.append(
                "warning: this passphrase is not UTF-8; the official programs cannot be given such a one")
        }
        return warnings
    }

    private func isValidUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue: continue
            case .emptyInput: return true
            case .error: return false
            }
        }
    }
}
