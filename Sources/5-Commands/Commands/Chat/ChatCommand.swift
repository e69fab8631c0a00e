import ArgumentParser
import Valise
import ValiseEncoding

struct ChatCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat", abstract: "Read, search and export messages.",
        discussion: """
            Reads an account in a folder or in a zip archive where it is; nothing of it is unpacked. Also reads an export, \
            which needs no passphrase, and accounts of Session: a profile of Session Desktop, a folder of Session iOS, or a \
            session.bak. Of these, messages that should have disappeared are left out. A chat is named by @NAME for a contact, #NAME for a group, * for the notes, its ID \
            such as contact-4, or a regular expression between slashes.
            """,
        subcommands: [
            ChatList.self, ChatShow.self, ChatSearch.self, ChatExport.self, ChatRender.self, ChatBrowse.self,
            ChatStats.self,
        ])
}

/// Which messages of the chats.
struct ChatItemOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only messages since this time: 2026-01-31, or 30d for the last 30 days.", valueName: "time"))
    var since: MomentArgument?

    @Option(help: ArgumentHelp("Only messages before this time.", valueName: "time"))
    var before: MomentArgument?

    @Option(
        help: ArgumentHelp(
            "Only messages of these kinds, separated by commas. Repeatable.", valueName: "kinds"))
    var kind: [CommaList<ItemKind>] = []

    @Flag(help: "Only messages with a file.")
    var withMedia = false

    @Option(
        help: ArgumentHelp("Only messages of this sender, by name; 'me' for your own.", valueName: "name"))
    var sender: String?

    @Flag(help: "Leave out messages that were deleted or removed.")
    var notDeleted = false

    @OptionGroup var scope: ChatScopeOptions

    func validate() throws {
        if let since, let before, since.seconds >= before.seconds {
            throw ValidationError("--since must be earlier than --before")
        }
    }

    private var selection: ItemSelection {
        var selection = ItemSelection()
        selection.since = since.map { UTCTime(seconds: $0.seconds) }
        selection.before = before.map { UTCTime(seconds: $0.seconds) }
        selection.kinds = Set(kind.flatMap(\.elements))
        selection.hasFile = withMedia
        selection.sender = sender
        selection.leavesOutDeleted = notDeleted
        return selection
    }

    /// What is said where nothing was found: a name may be wrong.
    func nothing(_ text: String) -> String { sender.map { "\(text) by '\($0.withoutControls)'" } ?? text }

    /// Where messages are read from.
    func input(
        _ account: ChosenAccount, _ passphrase: PassphraseOptions, _ chats: [String] = []
    ) -> ConversationInput {
        var input = ConversationInput(account.path, prefix: account.prefix, passphrase: passphrase.choice)
        input.selectors = chats
        scope.apply(to: &input)
        input.items = selection
        return input
    }
}

/// What is read that an app does not show.
struct ChatScopeOptions: ParsableArguments {
    @Flag(help: "Include the chats of hidden profiles.")
    var hidden = false

    @Flag(help: "Include messages of Session that should have disappeared by now.")
    var includeExpired = false

    func apply(to input: inout ConversationInput) {
        input.includesHidden = hidden
        input.includesExpired = includeExpired
    }
}

extension ReadableAccountOptions {
    /// The account, and the argument behind it. A single argument is the latter.
    func and(_ target: String?, _ name: String, _ output: OutputOptions) throws -> (ChosenAccount, String) {
        if let target { return (try choose(output), target) }
        guard let only = directory else { throw ValidationError("Missing expected argument '<\(name)>'") }
        var rest = self
        rest.directory = nil
        return (try rest.choose(output, " ('\(only.withoutControls)' was taken as <\(name)>)"), only)
    }
}

extension ReadableAccountOptions {
    /// Whether an argument that follows the account is missing, which is the account's place then.
    /// - Throws: a `ValidationError` where nothing was given at all.
    func require(_ target: String?, _ name: String) throws {
        guard target == nil, directory == nil else { return }
        throw ValidationError("Missing expected argument '<\(name)>'")
    }
}

extension OutputOptions {
    /// Says what is wrong with rows that could not be read, and ends with their status.
    func complain(damaged: [String]) throws {
        guard !damaged.isEmpty else { return }
        for message in damaged.prefix(3) { warn(message) }
        if damaged.count > 3 { warn("and \(Count.text(damaged.count - 3, "more row")) that cannot be read") }
        throw ExitStatusError(status: .entryErrors)
    }
}
