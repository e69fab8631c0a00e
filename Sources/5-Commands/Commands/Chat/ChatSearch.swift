import ArgumentParser
import Synchronization
import Valise
import ValiseTerminal

struct ChatSearch: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Search the texts of messages.",
        discussion: """
            Finds messages that contain all words, in any case; words in double quotes are a phrase, and -WORD excludes. \
            Searches all chats unless --chat is given. On a terminal, messages are shown page by page, as by show. With \
            --json, prints one object per message. The exit status is 10 if nothing is found, and 3 if rows could not be read.

            With --index, a search index of the account is kept in Valise's state folder (XDG_STATE_HOME), encrypted with a \
            key that comes from that of the account. The first search makes it; later ones bring it up to date if the account \
            has changed, and answer in a fraction of the time. The index of an unencrypted account is not encrypted.
            """)

    @OptionGroup var account: ReadableAccountOptions

    @Argument(help: ArgumentHelp("What to search for. A single argument is the text.", valueName: "text"))
    var text: String?

    @Option(help: ArgumentHelp("Only in this chat. Repeatable.", valueName: "chat"))
    var chat: [String] = []

    @Flag(help: "Use a search index; make it or bring it up to date first.")
    var index = false

    @Flag(help: "Remove the search index of the account instead of searching.")
    var removeIndex = false

    @OptionGroup var items: ChatItemOptions
    @OptionGroup var pager: PagerOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard removeIndex else { return try account.require(text, "text") }
        if index { throw ValidationError("--index and --remove-index exclude each other") }
        if text != nil { throw ValidationError("--remove-index takes no text") }
    }

    func run() throws {
        guard !removeIndex else { return try removeTheIndex() }
        let (account, text) = try self.account.and(self.text, "text", output)
        guard let query = TextQuery(text) else {
            throw CommandError(.invalid, "there is nothing to search for")
        }
        let stream = pager.stream(output)
        let page = Mutex(ChatPage(reveals: false))
        let lines = Mutex(JSONLineWriter())
        let last = Mutex("")
        let input = items.input(account, passphrase, chat)
        let operation = SearchConversations(query, in: input, usesIndex: index) {
            [json = output.json] conversation, item in
            if json {
                let line = lines.withLock { $0.line(of: item, in: conversation.key) }
                return try stream.write(String(decoding: line, as: UTF8.self))
            }
            let isNew = last.withLock { key in
                defer { key = conversation.key }
                return key != conversation.key
            }
            if isNew { try stream.write(page.withLock { $0.beginning(of: conversation) }) }
            try stream.write(page.withLock { $0.text(of: item) })
        }
        do {
            let report = try pager.showing(stream) { try output.run(operation, Answers(passphrase)) }
            try output.complain(damaged: report.damaged)
            if report.hits == 0 { throw CommandError(.notFound, "no message contains this text") }
        } catch is ReaderGone {
            return
        }
    }

    private func removeTheIndex() throws {
        let account = try self.account.choose(output)
        let removal = try output.run(RemoveSearchIndex(items.input(account, passphrase)))
        guard removal.found else { throw CommandError(.notFound, "this account has no search index") }
        output.note("removed the search index of \(ShellWord(account.path).text)")
    }
}
