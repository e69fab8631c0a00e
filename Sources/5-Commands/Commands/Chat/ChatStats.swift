import ArgumentParser
import Valise
import ValiseEncoding

struct ChatStats: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Count messages by month, kind and member.",
        discussion: "With --json, also for each chat. The exit status is 3 if rows could not be read.")

    @OptionGroup var account: ReadableAccountOptions

    @Option(help: ArgumentHelp("Only this chat. Repeatable.", valueName: "chat"))
    var chat: [String] = []

    @OptionGroup var items: ChatItemOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let account = try account.choose(output)
        let statistics = try output.run(
            SummarizeConversations(items.input(account, passphrase, chat)), Answers(passphrase))
        try output.print(statistics, type: "chatStats") { text(statistics) }
        try output.complain(damaged: statistics.damaged)
    }

    private func text(_ statistics: ConversationStatistics) -> String {
        let all = statistics.all
        var lines = [
            "\(Count.text(all.messages, "message")) in \(Count.text(statistics.conversations.count, "chat"))"
        ]
        lines += section("by month", all.months.sorted { $0.key < $1.key })
        lines += section("by kind", all.kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) })
        lines += section("by member", all.authors.sorted { ($1.value, $0.key) < ($0.value, $1.key) })
        let chats = statistics.conversations.map { ($0.name, $0.counts.messages) }
        lines += section("by chat", chats.sorted { ($1.1, $0.0) < ($0.1, $1.0) })
        lines.append(
            "\(Count.text(all.files, "file")) (\(Count.bytes(all.fileSize))), \(all.filesNotReceived) not received"
        )
        lines += columns(statistics.largest.map { (Count.bytes($0.size), "\($0.name)  \($0.chat)") })
        return lines.joined(separator: "\n")
    }

    private func section(_ title: String, _ counts: [(key: String, value: Int64)]) -> [String] {
        counts.isEmpty ? [] : [title] + columns(counts.map { ("\($0.value)", $0.key) })
    }

    /// Numbers end in the same column.
    private func columns(_ rows: [(number: String, name: String)]) -> [String] {
        let width = rows.map(\.number.count).max() ?? 0
        return FirstLines.of(rows, of: rows.count) {
            String(repeating: " ", count: width - $0.number.count)
                + "\($0.number)  \($0.name.withoutControls)"
        }
    }
}
