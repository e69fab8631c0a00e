import ArgumentParser
import Valise
import ValiseTerminal

/// Where a new password of a repository comes from.
struct NewPasswordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the new password from this file; a final line break is ignored.", valueName: "file"),
        completion: .file())
    var newPasswordFile: String?

    @Option(
        help: ArgumentHelp("Read the new password from the output of this sh command.", valueName: "command"))
    var newPasswordCommand: String?

    @Option(help: ArgumentHelp("Read the new password from this open file descriptor.", valueName: "fd"))
    var newPasswordFd: Int32?

    @Flag(help: "Accept a new password that is easy to guess.")
    var allowWeak = false

    func validate() throws {
        let given = [newPasswordFile != nil, newPasswordCommand != nil, newPasswordFd != nil]
        guard given.count(where: { $0 }) <= 1 else {
            throw ValidationError(
                "Use only one of --new-password-file, --new-password-command, --new-password-fd")
        }
    }

    /// Asked for twice without an option.
    func password<Value>(_ canAsk: Bool, _ work: AsynchronousWork<Value>) async throws -> SharedSecret {
        let given = PassphraseSource.Given(
            file: newPasswordFile, command: newPasswordCommand, descriptor: newPasswordFd)
        return try await work.newPassphrase(
            PassphraseSource(given), canAsk, allowWeak: allowWeak, for: .repository,
            otherwise: CommandError(
                .invalid, "a new password is required",
                hints: [
                    Hint(
                        "provide it", options: "--new-password-file", "--new-password-command",
                        "--new-password-fd")
                ]))
    }
}

extension CommandError {
    static let newPasswordMissing = CommandError(
        .invalid, "a password for the new repository is required",
        hints: [
            Hint("provide it", options: "--password-file", "--password-command", "--password-fd"),
            Hint("generate one", command: "key generate", ""),
        ])
}
