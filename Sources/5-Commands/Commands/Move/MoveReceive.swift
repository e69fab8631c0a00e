import ArgumentParser
import Valise
import ValiseTerminal

struct MoveReceive: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive", abstract: "Receive an account from another machine.",
        discussion: """
            Takes the link from the other machine, and the account folder. With -, the link is read from standard \
            input, because other users of this machine can see arguments. An archive works too, for example from a \
            USB stick.

            Shows the plan and asks for confirmation. The account is received next to its folder, verified, opened \
            with its passphrase and put in place atomically. It replaces an existing account only with --into-existing. \
            Then eight words are shown. If the other machine shows the same words, everything arrived.

            To resume an interrupted run, repeat the command, or give the account folder alone.

            Relays that are not in your list (~/.config/valise/relays) would see your network address, so you are asked \
            to approve them. With a proxy or --approve-relays, you are not asked. --yes does not approve them.
            """)

    @Argument(
        help: ArgumentHelp(
            "The link or links, - for standard input, or an archive; then the account folder. The folder alone "
                + "resumes an interrupted run.", valueName: "link|-|archive dir"),
        completion: .file())
    var arguments: [String]

    @OptionGroup var use: AccountUseOptions

    @Flag(help: "Replace the account in the folder.")
    var intoExisting = false

    @Flag(help: "Replace it even if it is newer, or a different account.")
    var replaceNewer = false

    @Option(
        help: ArgumentHelp(
            "Migrate an older schema (yesUp) or leave it unchanged (error). By default you are asked; "
                + "if that is not possible, it is left unchanged.", valueName: "yesUp|error"))
    var confirm: SchemaConfirmation?

    @Option(
        help: ArgumentHelp(
            "Apply the network settings in the link (take) or ignore them (leave). By default you are asked; if "
                + "that is not possible, they are ignored.", valueName: "take|leave"))
    var networkConfig: ReceivedNetworkConfig?

    @Flag(help: "Use any relay named in the link without asking.")
    var approveRelays = false

    @Flag(help: "Do not confirm receipt to the relays; another machine can then receive it too.")
    var keepOnRelays = false

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var proxy: ProxyOption
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard arguments.count > 1 || !arguments.contains("-") else {
            throw ValidationError("The account folder is missing. Name it after the link.")
        }
        if let last = arguments.last, last.lowercased().hasPrefix("simplex:") || last.contains("://") {
            throw ValidationError("The account folder is missing. Name it after the link.")
        }
    }

    func run() throws {
        guard let directory = arguments.last else { return }
        let location = try AccountLocation.place(FilePath(directory), prefix: use.prefix)
        let operation = try operation(location)
        if dryRun.isAsked {
            let plan = try perform(operation) { try await $0.plan(in: $1) }
            return try output.show("moveReceive", files: plan)
        }
        let received = try perform(operation) { try await $0.run(in: $1) }
        try output.print(received) { ReceivedText(location: location).text(received.received) }
        if !output.json { ArchiveErrorText.print(received.received.imported.archiveErrors) }
        output.warn(
            "from now on, use this account only here. If it is used in two places, messages from its contacts "
                + "cannot be decrypted.")
        if received.hasEntryErrors { throw ExitStatusError(status: .entryErrors) }
    }

    private var sources: [String] { Array(arguments.dropLast()) }

    /// Links from standard input are asked for by the operation, once it is sure that they can be received.
    private func perform<Value: Sendable>(
        _ operation: ReceiveAccount,
        _ body: @escaping @Sendable (ReceiveAccount, OperationContext) async throws -> Value
    ) throws -> Value {
        let asked = sources.contains(FileStreams.dash) ? sources : []
        return try output.perform(Answers(passphrase, yes: consent.yes)) { context, work in
            var operation = operation
            if !asked.isEmpty {
                operation.ask = { try await work.atTerminal { try MoveSourceArguments.source(asked) } }
            }
            return try await body(operation, context)
        }
    }

    private func operation(_ location: AccountLocation) throws -> ReceiveAccount {
        let source = sources.contains(FileStreams.dash) ? nil : try MoveSourceArguments.source(sources)
        var operation = ReceiveAccount(source, to: location, passphrase: passphrase.choice)
        operation.replacesAccount = intoExisting
        operation.replacesNewer = replaceNewer
        operation.acknowledges = !keepOnRelays
        operation.schema = confirm
        operation.networkConfig = networkConfig
        operation.approvesRelays = approveRelays
        operation.proxy = proxy.proxy
        operation.isConfirmed = consent.yes
        return operation
    }
}
