import AccountMaintenance
import Accounts
import ArgumentParser
import Failures
import Secrets
import SystemPackage

struct AccountCreate: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create an account: both databases at the newest schema, and the media folders.",
        discussion: """
            The folder is made where it is missing; one that holds an account is refused. The databases are \
            encrypted with a passphrase that is asked for twice, or read from where an option says.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Do not encrypt the databases. Asks twice, or wants --yes.")
    var noEncryption = false

    @Flag(help: "Answer the questions of --no-encryption with yes.")
    var yes = false

    func run() throws {
        let location = try account.place()
        let key = noEncryption ? try withoutEncryption() : try passphrase.new(output)
        let recovery = try output.withProgress { progress in
            try AccountCreation().create(location, passphrase: key, progress: progress)
        }
        output.note(recovery)
        let result = Result(
            directory: location.directory.string, prefix: location.prefix, encrypted: !key.isEmpty)
        try output.print(result) {
            "created an \(key.isEmpty ? "unencrypted" : "encrypted") account in \(location.directory)"
        }
    }

    private func withoutEncryption() throws -> SecretBytes {
        if !yes {
            guard passphrase.canAsk else {
                throw CommandError(
                    .invalid, "--no-encryption asks twice and nobody can be asked; add --yes if you mean it")
            }
            guard try Terminal.confirm("Anyone who gets these files can read all messages. Go on?"),
                try Terminal.confirm("Really without encryption?")
            else { throw CommandError(.failed, "nothing was created") }
        }
        return try SecretBytes.empty()
    }

    private struct Result: Encodable {
        let type = "accountCreated"
        let directory: String
        let prefix: String
        let encrypted: Bool
    }
}
