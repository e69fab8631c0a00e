import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

struct ChatList: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the chats of an account.",
        discussion: """
            Also lists chats that the app hides, and why: those of deleted contacts, and those that were deleted while \
            the contact was kept. The exit status is 3 if rows could not be read.
            """)

    @OptionGroup var account: ReadableAccountOptions

    @OptionGroup var scope: ChatScopeOptions

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let account = try account.choose(output)
        var input = ConversationInput(account.path, prefix: account.prefix, passphrase: passphrase.choice)
        scope.apply(to: &input)
        let list = try output.run(ListConversations(input), Answers(passphrase))
        let table = try ChatListText(list.conversations).text(
            width: StandardStreams.width(of: .standardOutput))
        try output.print(list, type: "chats") { table }
        try output.complain(damaged: list.damaged)
    }
}
