import ArgumentParser
import Valise
import ValiseTerminal

struct ChatBrowse: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse", abstract: "Show chats and their files in a browser.",
        discussion: """
            Shows an account, an archive or an export as pages with a search, from a server that only this machine can \
            reach. Pages are made when they are opened, and files are decrypted in memory: no message and no file is \
            written to a disk. The printed address works once; the browser that opens it first can see the pages, and no \
            other. Stop the server with Control-C.

            An account that an app is using is shown as it is at the start. An app that is started later cannot write to \
            the account until the server stops; an archive avoids that.
            """)

    @OptionGroup var account: ReadableAccountOptions

    @Option(help: ArgumentHelp("Only this chat. Repeatable.", valueName: "chat"))
    var chat: [String] = []

    @OptionGroup var scope: ChatScopeOptions

    @Option(help: ArgumentHelp("Listen on this port; 0 for any free port.", valueName: "port"))
    var port: UInt16 = 0

    @Option(
        help: ArgumentHelp(
            "Stop if no page is opened for this time, such as 90s or 2h (default: 30m).",
            valueName: "duration"))
    var idle: DurationArgument?

    @Flag(help: "Open the pages in the default browser.")
    var open = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard idle.map({ $0.duration > .zero }) ?? true else {
            throw ValidationError("--idle must be at least 1s")
        }
    }

    func run() throws {
        let account = try account.choose(output)
        var input = ConversationInput(account.path, prefix: account.prefix, passphrase: passphrase.choice)
        input.selectors = chat
        scope.apply(to: &input)
        try output.perform(Answers(passphrase)) {
            [output, input, port, idle, open] (context, work: AsynchronousWork<Void>) in
            var operation = BrowseConversations(input) { pages in
                work.hideProgress()
                try await work.atTerminal {
                    try output.print(pages) { "address: \(pages.address)" }
                    output.note("Press Control-C to stop.")
                }
            }
            operation.port = Int(port)
            if let idle { operation.idleLimit = idle.duration }
            operation.opensBrowser = open
            try await operation.run(in: context)
        }
    }
}
