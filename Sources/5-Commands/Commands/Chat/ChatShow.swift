import ArgumentParser
import Synchronization
import Valise
import ValiseEncoding
import ValiseTerminal

struct ChatShow: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the messages of a chat.",
        discussion: """
            Shows the last 50 messages, oldest first, in local time. Formats are shown as the app shows them; secret \
            text is covered unless --reveal is given. On a terminal, messages are shown page by page: by the program that \
            PAGER names, or less. With --json, prints one object per message, as in an export. The exit status is 3 if rows \
            could not be read.
            """)

    @OptionGroup var account: ReadableAccountOptions

    @Argument(help: ArgumentHelp("The chat. A single argument is the chat.", valueName: "chat"))
    var chat: String?

    @Option(
        name: [.customShort("n"), .long],
        help: ArgumentHelp("Show at most this many messages (default: 50).", valueName: "count"))
    var last: Int?

    @Flag(help: "Show all messages.")
    var all = false

    @Flag(help: "Show secret text, and messages that were deleted or removed.")
    var reveal = false

    @OptionGroup var items: ChatItemOptions
    @OptionGroup var pager: PagerOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        try account.require(chat, "chat")
        if all, last != nil { throw ValidationError("--last and --all exclude each other") }
        guard last.map({ $0 > 0 }) ?? true else { throw ValidationError("--last must be at least 1") }
    }

    func run() throws {
        let (account, chat) = try self.account.and(self.chat, "chat", output)
        let stream = pager.stream(output)
        let page = Mutex(ChatPage(reveals: reveal))
        let lines = Mutex(JSONLineWriter())
        let key = Mutex("")
        let isEmpty = Mutex(true)
        let operation = ReadConversation(
            items.input(account, passphrase, [chat]), newest: all ? nil : Int64(last ?? 50)
        ) { [json = output.json] conversation in
            key.withLock { $0 = conversation.key }
            if !json { try stream.write(page.withLock { $0.beginning(of: conversation) }) }
        } item: { [json = output.json] item in
            isEmpty.withLock { $0 = false }
            guard json else { return try stream.write(page.withLock { $0.text(of: item) }) }
            let line = lines.withLock { $0.line(of: item, in: key.withLock { $0 }) }
            try stream.write(String(decoding: line, as: UTF8.self))
        }
        do {
            let report = try pager.showing(stream) { try output.run(operation, Answers(passphrase)) }
            if isEmpty.withLock({ $0 }) { output.note(items.nothing("no messages")) }
            try output.complain(damaged: report.damaged)
        } catch is ReaderGone {
            return
        }
    }
}
