import ArgumentParser
import Valise

/// The passwords and keys of several stores, each of which is tried on all.
struct SessionPasswordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read a password or a key from this file; a final line break is ignored. Repeatable: each is tried on every store.",
            valueName: "file"),
        completion: .file())
    var passphraseFile: [String] = []

    @Option(
        help: ArgumentHelp(
            "Read one from the output of this sh command; a final line break is ignored. Repeatable.",
            valueName: "command"))
    var passphraseCommand: [String] = []

    @Option(help: ArgumentHelp("Read one from this open file descriptor. Repeatable.", valueName: "fd"))
    var passphraseFd: [Int32] = []

    @OptionGroup var input: InputOptions

    /// For operations.
    var sources: [PassphraseSource] {
        let given =
            passphraseFile.map { PassphraseSource.Given(file: $0, command: nil, descriptor: nil) }
            + passphraseCommand.map { PassphraseSource.Given(file: nil, command: $0, descriptor: nil) }
            + passphraseFd.map { PassphraseSource.Given(file: nil, command: nil, descriptor: $0) }
        return given.map { PassphraseSource($0) }
    }

    var answers: Answers { Answers(canAsk: input.canAsk, isUnaskable: input.noInput) }
}
