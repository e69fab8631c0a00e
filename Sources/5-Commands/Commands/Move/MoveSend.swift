import ArgumentParser
import SystemPackage
import ValiseAccounts
import ValiseFailures
import ValiseFiles
import ValiseMoves
import ValiseSecrets
import ValiseTransfers
import ValiseXFTPWire

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
        try RetiredMark.refuse(location, fileSystem: FileSystem())
        let key = SharedSecret(try AccountKey(location, passphrase).key())
        if dryRun { return try showPlan(location, key) }
        let before = try MoveStates.engine().summary(of: location, side: .sending)
        let relay = try relay(location, before)
        defer { relay?.stop() }
        let act = act(location)
        // Links that are there are shown again without any relay.
        let relays = isShown(before) && !renew ? [] : try relays(relay?.access)
        let sent = try JobbedWork.run(act, isJob: relay == nil, output) { _ in
            try send(act, key, relays, isServed: relay != nil)
        }
        let isFirst = !isShown(before)
        try SentOutput(
            location: location, codes: codes, output: output, isFirst: isFirst || renew,
            isServed: relay != nil
        ).show(sent)
        if let relay { try MoveServing(location: location, output: output).serve(relay, sent) }
        if !sent.archiveErrors.isEmpty { throw ExitStatusError(status: .entryErrors) }
    }

    // MARK: Parts

    /// The relay of this process, where one is asked for, or was before.
    private func relay(_ location: AccountLocation, _ before: MoveSummary?) throws -> MoveRelay? {
        let goesOn = try !choice.isGiven && archive == nil && before != nil && MoveRelay.isThere(location)
        guard serving.isAsked || goesOn else { return nil }
        return try MoveRelay(location, serving.serve, mayChange: !isShown(before) || renew, output)
    }

    private func isShown(_ move: MoveSummary?) -> Bool {
        move?.sendingState == .linkShown
    }

    private func relays(_ served: RelayAccess?) throws -> [RelayAccess] {
        if archive != nil { return [] }
        return try served.map { [$0] } ?? choice.relays()
    }

    private func act(_ location: AccountLocation) -> MoveSendAct {
        MoveSendAct(
            account: JobAccount(location), servers: choice.server,
            serverFile: choice.serverFile.map { JobPath(FilePath($0)) },
            archive: archive.map { JobPath(FilePath($0)) }, packs: pack,
            networkConfig: networkConfig, acceptsRandomPassphrase: acceptRandomPassphrase,
            proxy: proxy.proxy, passphrase: JobPassphrase(passphrase, isWanted: true),
            isConfirmed: yes)
    }

    private func showPlan(_ location: AccountLocation, _ key: SharedSecret) throws {
        // The address of a relay that is not started yet is not known.
        let options = act(location).options(serving.isAsked ? [] : try relays(nil))
        let plan = try MoveStates.engine().sendPlan(location, passphrase: key.bytes, options)
        try output.print(plan, type: "movePlan") {
            MovePlanText.text(plan, location, store: StoredKeyUse.store, isServed: serving.isAsked)
                + "\nnothing was sent"
        }
    }

    private func send(
        _ act: MoveSendAct, _ key: SharedSecret, _ relays: [RelayAccess], isServed: Bool
    ) throws -> SentAccount {
        try AsynchronousWork<SentAccount>.run(output) { [self] work in
            try await act.perform(
                key, relays, isRenewal: renew,
                confirm: { plan in
                    if isServed { try checkSpace(plan) }
                    let text = MovePlanText.text(
                        plan, act.account.location, store: StoredKeyUse.store, isServed: isServed)
                    return try await confirm(text, work)
                }, listener: work)
        }
    }

    private func checkSpace(_ plan: SendPlan) throws {
        let (needed, free) = (plan.archiveSize + plan.archiveSize / 20, try MoveRelay.freeSpace())
        guard needed <= free else {
            throw CommandError(
                .noSpace,
                "with --serve the chunks lie on this machine until they were received: \(ByteCount.text(needed)) are needed "
                    + "and \(ByteCount.text(free)) are free; nothing was sent")
        }
    }

    private func confirm(_ plan: String, _ work: AsynchronousWork<SentAccount>) async throws -> Bool {
        if yes {
            if !output.quiet, !output.json {
                try await work.atTerminal { StandardStreams.printError(plan) }
            }
            return true
        }
        guard passphrase.canAsk else {
            throw CommandError(
                .invalid,
                "sending asks first and nobody can be asked; add --yes if you mean it; nothing was sent")
        }
        return try await work.confirm(
            "\(plan)\nHow long it takes is shown when it is under way. Send it?")
    }
}
