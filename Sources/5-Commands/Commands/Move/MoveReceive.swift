import ArgumentParser
import SystemPackage
import ValiseAccounts
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseMoves
import ValiseSecrets
import ValiseTransfers
import ValiseXFTPWire

struct MoveReceive: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive", abstract: "Receive an account from another machine and put it in place.",
        discussion: """
            Give the link that the other machine shows and the folder where the account shall be. With - the link is read \
            from standard input: other users of this machine can see arguments. An archive, such as from a stick, is \
            taken too.

            Shows what the link says, and asks. Everything is received beside the account, proved, opened with its \
            passphrase, and put in place as one act; an account that is there is refused without --into-existing. Then \
            eight words are shown: where the other machine has the same, everything arrived.

            What was interrupted goes on when the same is given again, or the folder alone.

            Relays that are not in your list (~/.config/valise/relays) learn your network address; they are asked about \
            before. A proxy or --approve-relays makes the question needless.
            """)

    @Argument(
        help: ArgumentHelp(
            "The link, or all links; - for links on standard input; or an archive. Last the folder of the account, which "
                + "alone goes on with what was begun.", valueName: "link|-|archive dir"),
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
        try RetiredMark.refuse(location, fileSystem: FileSystem())
        let act = try act(location)
        let received: ReceivedAccount
        do {
            received = try JobbedWork.run(act, output) { session in try receive(act, session) }
        } catch let error as DeviceMigrationError where error.kind == .accountExists {
            throw CommandError(
                error.code,
                "an account is already there; nothing was received. Choose another folder, or replace it with "
                    + "--into-existing", subject: error.subject)
        }
        try output.print(received, type: "accountReceived") {
            ReceivedText(location: location).text(received)
        }
        if !output.json { ArchiveErrorText.print(received.imported.archiveErrors) }
        output.warn(
            "use this account nowhere else from now on: once it is used in two places, messages of its contacts cannot "
                + "be decrypted")
        if !received.imported.archiveErrors.isEmpty { throw ExitStatusError(status: .entryErrors) }
    }

    private func act(_ location: AccountLocation) throws -> MoveReceiveAct {
        var (links, archive): ([String], JobPath?) = ([], nil)
        switch try MoveSourceArguments.source(Array(arguments.dropLast())) {
        case .links(let found): links = found
        case .archive(let path): archive = JobPath(path)
        case nil: break
        }
        return MoveReceiveAct(
            account: JobAccount(location), links: links, archive: archive, replacesAccount: intoExisting,
            replacesNewer: replaceNewer, acknowledges: !keepOnRelays, schema: confirm,
            networkConfig: networkConfig, approvesRelays: approveRelays, proxy: proxy.proxy,
            passphrase: JobPassphrase(passphrase, isWanted: true), isConfirmed: yes)
    }

    private func receive(_ act: MoveReceiveAct, _ session: JobSession) throws -> ReceivedAccount {
        try AsynchronousWork<ReceivedAccount>.run(output) { [self] work in
            let approval = try RelayApprovalOptions.approval(
                approvesAll: approveRelays || proxy.proxy != nil, noInput: passphrase.source.noInput,
                ask: work.confirm, hint: work.note
            ) { relays in
                let memory = FileDownloadMemory(session.memory).approving(relays)
                if let bytes = try? memory.bytes { session.remember(bytes) }
            }
            return try await act.perform(approval, questions(act.account.location, work), listener: work)
        }
    }

    // MARK: Questions

    private func questions(
        _ location: AccountLocation, _ work: AsynchronousWork<ReceivedAccount>
    ) throws -> ReceiveQuestions {
        let known = Set(try KnownRelays.configured().map(\.address.text))
        var questions = ReceiveQuestions { attempt in
            try await work.atTerminal { try key(location, attempt) }
        }
        questions.confirm = { info in
            try await begins(MovePlanText.text(info, location, known: known), work)
        }
        questions.upgradesSchema = { plan in
            switch confirm {
            case .yesUp: return true
            case .error: return false
            case nil: break
            }
            guard passphrase.canAsk else { return false }
            return try await work.confirm(
                "The account is in place; its schema is older than this program.\n"
                    + "\(MigrationPlanText.text(plan))\nMigrate it now?")
        }
        questions.takesNetworkConfig = { config in
            if let networkConfig { return networkConfig == .take }
            guard passphrase.canAsk else { return false }
            return try await work.confirm(
                "The sending app used these network settings: \(config.text.withoutControls). Use them here too?"
            )
        }
        return questions
    }

    private func begins(_ plan: String, _ work: AsynchronousWork<ReceivedAccount>) async throws -> Bool {
        if yes {
            if !output.quiet, !output.json {
                try await work.atTerminal { StandardStreams.printError(plan) }
            }
            return true
        }
        guard passphrase.canAsk else {
            throw CommandError(
                .invalid,
                "receiving asks first and nobody can be asked; add --yes if you mean it; nothing was received"
            )
        }
        return try await work.confirm("\(plan)\nReceive it?")
    }

    private func key(_ location: AccountLocation, _ attempt: Int) throws -> SharedSecret {
        if attempt == 1 { return SharedSecret(try passphrase.existing(for: location)) }
        guard try passphrase.given() == nil, passphrase.canAsk else {
            throw CommandError(
                .wrongPassphrase,
                "this passphrase does not open the received account; what was received is kept, give the same command "
                    + "again with another passphrase", subject: location.directory.string)
        }
        StoredKeyUse.forget()
        let most = AccountMove.mostPassphraseTries
        let prompt = "It does not open this account (try \(attempt) of \(most)). Passphrase: "
        return SharedSecret(try Terminal.askSecret(prompt))
    }
}

/// Whether a schema is migrated.
enum SchemaConfirmation: String, ExpressibleByArgument, CaseIterable, Codable {
    case yesUp, error
}

/// What becomes of network settings.
enum ReceivedNetworkConfig: String, ExpressibleByArgument, CaseIterable, Codable {
    case take, leave
}
