import ArgumentParser
import Valise

struct MoveReceive: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive", abstract: "Receive an account from another machine and put it in place.",
        discussion: """
            Give the link that the other machine shows and the folder where the account shall be. With - the link is read \
            from standard input: other users of this machine can see arguments. An archive, such as from a stick, is \
            taken too.

            Shows what the link says, and asks. Everything is received beside the account, proved, opened with its \
            passphrase, and put in place atomically; an account that is there is refused without --into-existing. Then \
            eight words are shown: where the other machine has the same, everything arrived.

            What was interrupted goes on when the same is given again, or the folder alone.

            Relays that are not in your list (~/.config/valise/relays) learn your network address; they are asked about \
            before. A proxy or --approve-relays makes the question needless.
            """)

    @Argument(
        help: ArgumentHelp(
            "The link, or all links; - for links on standard input; or an archive. Last the folder of the account, which "
                + "alone resumes what was begun.", valueName: "link|-|archive dir"),
        completion: .file())
    var arguments: [String]

    @Option(help: "What the names of the databases start with, where the folder holds several accounts.")
    var prefix: String?

    @Flag(help: "Replace the account that is in the folder.")
    var intoExisting = false

    @Flag(help: "Replace it also where it is newer than the one that is received, or another one.")
    var replaceNewer = false

    @Option(
        help: ArgumentHelp(
            "Whether the schema is migrated where it has to be: yesUp, or error for leaving it as it is. By default you are "
                + "asked, and it is left where nobody can be.", valueName: "yesUp|error"))
    var confirm: SchemaConfirmation?

    @Option(
        help: ArgumentHelp(
            "What becomes of the network settings that the link carries: take or leave. By default you are asked, and "
                + "they are left where nobody can be.", valueName: "take|leave"))
    var networkConfig: ReceivedNetworkConfig?

    @Flag(help: "Use the relays that the link names without asking, whoever runs them.")
    var approveRelays = false

    @Flag(help: "Do not tell the relays that the account was received; another machine can receive it then.")
    var keepOnRelays = false

    @Flag(help: "Receive without the question.")
    var yes = false

    @OptionGroup var proxy: ProxyOption
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard arguments.count > 1 || !arguments.contains("-") else {
            throw ValidationError("Say behind the link in which folder the account shall be.")
        }
        if let last = arguments.last, last.lowercased().hasPrefix("simplex:") || last.contains("://") {
            throw ValidationError("Say behind the link in which folder the account shall be.")
        }
    }

    func run() throws {
        guard let directory = arguments.last else { return }
        let location = try AccountLocation.place(FilePath(directory), prefix: prefix)
        let received: ReceivedAccountReport
        do {
            received = try output.run(operation(location), Answers(passphrase, yes: yes))
        } catch let error as DeviceMigrationError where error.kind == .accountExists {
            throw CommandError(
                error.code,
                "an account is already there; nothing was received. Choose another folder, or replace it with "
                    + "--into-existing", subject: error.subject)
        }
        try output.print(received) { ReceivedText(location: location).text(received.received) }
        if !output.json { ArchiveErrorText.print(received.received.imported.archiveErrors) }
        output.warn(
            "use this account nowhere else from now on: once it is used in two places, messages of its contacts cannot "
                + "be decrypted")
        if received.hasEntryErrors { throw ExitStatusError(status: .entryErrors) }
    }

    private func operation(_ location: AccountLocation) throws -> ReceiveAccount {
        var operation = ReceiveAccount(
            try MoveSourceArguments.source(Array(arguments.dropLast())), to: location,
            passphrase: passphrase.choice)
        operation.replacesAccount = intoExisting
        operation.replacesNewer = replaceNewer
        operation.acknowledges = !keepOnRelays
        operation.schema = confirm
        operation.networkConfig = networkConfig
        operation.approvesRelays = approveRelays
        operation.proxy = proxy.proxy
        operation.isConfirmed = yes
        return operation
    }
}
