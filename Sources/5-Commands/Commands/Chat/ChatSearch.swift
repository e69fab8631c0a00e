import ArgumentParser
import Synchronization
import Valise
import ValiseTerminal

struct ChatSearch: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Search the texts of messages.",
        discussion: """
            Finds messages that contain all words, in any case; words in double quotes are a phrase, and -WORD excludes. \
            Searches all chats unless --chat is given. With --json, prints one object per message. The exit status is 10 \
            if nothing is found, and 3 if rows could not be read.
            """)

    @OptionGroup var account: ReadableAccountOptions

    @Argument(help: ArgumentHelp("What to search for. A single argument is the text.", valueName: "text"))
    var text: String?

    @Option(help: ArgumentHelp("Only in this chat. Repeatable.", valueName: "chat"))
    var chat: [String] = []

    @OptionGroup var items: ChatItemOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let (account, text) = try self.account.and(self.text, "text", output)
        guard let query = TextQuery(text) else {
            throw CommandError(.invalid, "there is nothing to search for")
        }
        let stream = StreamedOutput()
        let page = Mutex(ChatPage(reveals: false))
        let lines = Mutex(JSONLineWriter())
        let last = Mutex("")
        let operation = SearchConversations(query, in: items.input(account, passphrase, chat)) {
            [json = output.json] conversation, item in
            if json {
                let line = lines.withLock { $0.line(of: item, in: conversation.key) }
                return try stream.write(String(decoding: line, as: UTF8.self))
            }
            let isNew = last.withLock { key in
                defer { key = conversation.key }
                return key != conversation.key
            }
            if isNew { try stream.write("\n" + page.withLock { $0.beginning(of: conversation) }) }
            try stream.write(page.withLock { $0.text(of: item) })
        }
        do {
            let report = try output.run(operation, Answers(passphrase))
            try stream.flush()
            try output.complain(damaged: report.damaged)
            if report.hits == 0 { throw CommandError(.notFound, "no message contains this text") }
        } catch is ReaderGone {
            return
        }
    }
}
