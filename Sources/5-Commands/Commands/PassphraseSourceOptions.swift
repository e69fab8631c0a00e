import ArgumentParser
import CValisePlatform
import Valise

/// Where a passphrase is read from. It is never an argument: those are visible to other processes.
struct PassphraseSourceOptions: ParsableArguments {
    @Option(
        help: "Read the passphrase from this file, without the line break at its end.", completion: .file())
    var passphraseFile: String?

    @Option(help: "Run this command with sh; the passphrase is what it prints, without the last line break.")
    var passphraseCommand: String?

    @Option(help: "Read the passphrase from this open file descriptor.")
    var passphraseFd: Int32?

    @Flag(help: "Never ask; fail where an answer would be needed.")
    var noInput = false

    func validate() throws {
        let sources = [passphraseFile != nil, passphraseCommand != nil, passphraseFd != nil].count { $0 }
        guard sources <= 1 else {
            throw ValidationError(
                "Give only one of --passphrase-file, --passphrase-command, --passphrase-fd.")
        }
    }

    /// The passphrase from where the options say; nil when they say nothing.
    func given() throws -> SecretBytes? { try source?.read() }

    private var source: (any KeySource)? {
        Self.source(file: passphraseFile, command: passphraseCommand, descriptor: passphraseFd)
    }

    /// For operations.
    var choice: PassphraseSource {
        var choice = PassphraseSource(
            PassphraseSource.Given(file: passphraseFile, command: passphraseCommand, descriptor: passphraseFd)
        )
        choice.mayPrompt = !noInput
        return choice
    }

    /// Where one of three options says a passphrase is.
    static func source(file: String?, command: String?, descriptor: Int32?) -> (any KeySource)? {
        let checkpoint = { if valise_interrupted() { throw Interruption() } }
        if let file { return FileKeySource(FilePath(file), checkpoint: checkpoint) }
        if let command { return CommandKeySource(command, checkpoint: checkpoint) }
        return descriptor.map {
            DescriptorKeySource(
                FileDescriptor(rawValue: $0), name: "file descriptor \($0)", checkpoint: checkpoint)
        }
    }

    /// Whether somebody can be asked.
    var canAsk: Bool { !noInput && Terminal.isThere }

    /// The passphrase of something that exists: from the options, else asked for.
    func existing(for name: String) throws -> SecretBytes { try given() ?? ask(for: name) }

    /// Asks for the passphrase of something that exists.
    func ask(for name: String) throws -> SecretBytes {
        guard canAsk else { throw CommandError.passphraseMissing }
        return try TerminalKeySource(prompt: "Passphrase of \(name.withoutControls): ").read()
    }

    /// A new passphrase: from the options, else asked for twice.
    func new(_ output: OutputOptions) throws -> SecretBytes {
        let passphrase = try given() ?? askTwice()
        guard !passphrase.isEmpty else {
            throw CommandError(.invalid, "the passphrase is empty; to have no encryption use --no-encryption")
        }
        passphrase.warnings.forEach(output.note)
        return passphrase
    }

    private func askTwice() throws -> SecretBytes {
        guard canAsk else { throw CommandError.passphraseMissing }
        return try Terminal.askSecretTwice()
    }
}

extension PassphraseSource.Given {
    /// Where one of three options says a passphrase is.
    init?(file: String?, command: String?, descriptor: Int32?) {
        if let file {
            self = .file(FilePath(file))
        } else if let command {
            self = .command(command)
        } else if let descriptor {
            self = .descriptor(FileDescriptor(rawValue: descriptor))
        } else {
            return nil
        }
    }
}
