import ArgumentParser
import Valise

struct MoveSend: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Send an account to another machine, over relays or as a file.",
        discussion: """
            The account is read where it lies, without a copy on disk, encrypted on this machine, and put on relays; the \
            link to it goes to standard output. Close the app before: an account in use is refused, and so is one without \
            a passphrase, or with the one that an app made by chance and nobody knows ('valise key change' sets another).

            Shows what would go, and asks. What was interrupted goes on when the same command is given again; once all \
            is there, it shows the link again, with how long the relays still keep it. --renew makes a new link, for one \
            that expires soon or an account that was used since.

            With --serve this process is the relay, until the other machine has the account; stopped and started again, \
            it serves the same link. With --to an archive is written instead, such as onto a stick.

            Nothing of the account is changed, until 'valise move finish'.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var choice: RelayChoiceOptions
    @OptionGroup var serving: ServeOptions

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("Write an archive instead, into this new file.", valueName: "file"),
        completion: .file(extensions: ["zip"]))
    var archive: String?

    @Flag(help: "With --to: pack the archive, which takes longer.")
    var pack = false

    @Option(
        help: ArgumentHelp(
            "Which network settings the link carries for the other app: those that the app here has saved, none, or these, "
                + "as JSON.", valueName: "app|none|json"))
    var networkConfig = SentNetworkConfig.app

    @Flag(help: "Send the account as it is now under a new link, and delete what was sent before.")
    var renew = false

    @Flag(help: "Send an account whose passphrase looks like one that an app made by chance: you know it.")
    var acceptRandomPassphrase = false

    @Flag(help: "Send without the question.")
    var yes = false

    @Flag(help: "Only show what would be sent.")
    var dryRun = false

    @OptionGroup var codes: LinkCodeOptions
    @OptionGroup var proxy: ProxyOption
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        let places = [serving.isAsked, choice.isGiven, archive != nil].count { $0 }
        guard places <= 1 else { throw ValidationError("Give only one of --server, --serve and --to.") }
        guard archive != nil || !pack else { throw ValidationError("--pack goes with --to.") }
        guard archive == nil || !renew else {
            throw ValidationError("--renew is for links; an archive does not expire.")
        }
        if serving.needsProxy, proxy.proxy == nil {
            throw ValidationError(
                "An onion host is reached through Tor, by the sender too; add --proxy, such as 127.0.0.1:9050."
            )
        }
    }

    func run() throws {
        try codes.check()
        let location = try account.find()
        let operation = try operation(location)
        var answers = Answers(passphrase, yes: yes)
        answers.isServed = serving.isAsked
        if dryRun { return try showPlan(operation, answers) }
        let report: SentAccountReport
        do {
            report = try output.perform(answers) { [codes, output] context, work in
                var operation = operation
                operation.sent = { report in
                    try await work.atTerminal {
                        try SentOutput(location: location, codes: codes, output: output).show(report)
                    }
                }
                return try await operation.run(in: context)
            }
        } catch let failure as ServingEnded {
            throw ReportedFailure(failure: CommandError.worded(failure))
        }
        if report.hasEntryErrors { throw ExitStatusError(status: .entryErrors) }
    }

    private func operation(_ location: AccountLocation) throws -> SendAccount {
        var operation = SendAccount(location, by: way, passphrase: passphrase.choice)
        operation.networkConfig = networkConfig
        operation.isRenewal = renew
        operation.acceptsRandomPassphrase = acceptRandomPassphrase
        operation.proxy = proxy.proxy
        operation.isConfirmed = yes
        return operation
    }

    private var way: SendAccount.Way {
        if let serve = serving.serve { return .served(serve) }
        if let archive { return .archive(FilePath(archive), packs: pack) }
        return .relays(choice.choice)
    }

    private func showPlan(_ operation: SendAccount, _ answers: Answers) throws {
        let plan = try output.plan(operation, answers)
        try output.print(plan, type: "movePlan") {
            MovePlanText.text(plan, operation.account, store: StoredKeyUse.store, isServed: serving.isAsked)
                + "\nnothing was sent"
        }
    }
}
