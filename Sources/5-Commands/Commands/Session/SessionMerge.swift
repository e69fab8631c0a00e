import ArgumentParser
import Valise
import ValiseEncoding

struct SessionMerge: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Merge the messages of several devices into one export.",
        discussion: """
            Reads profiles of Session Desktop, folders and backups (session.bak) of Session iOS, all of one account, and \
            writes an export of chats, as 'valise chat export' does, with each message once. Messages are the same if \
            the network knows them by the same hash, or a community by the same number; what was never sent is the same \
            if author, time and text are.

            A message that was deleted on one device is deleted in the export. Of timers the one that ends first counts, \
            of states the latest, and of files the one that is there. merge.jsonl in the export says from which device \
            what came, lists each contradiction with all values, messages that one device has removed, and pairs that \
            may be the same message.

            Each password that is given is tried on every store. The exit status is 3 if messages or files could not be \
            read.
            """)

    @Argument(
        help: ArgumentHelp("The stores, and behind them the folder for the export.", valueName: "paths"),
        completion: .file())
    var paths: [String]

    @Flag(help: "Include messages that should have disappeared by now.")
    var includeExpired = false

    @OptionGroup var media: ChatMediaOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var passwords: SessionPasswordOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard paths.count >= 3 else {
            throw ValidationError("Expected at least two stores and the folder for the export")
        }
        guard media.media != .link else {
            throw ValidationError("--media link is not possible: the files are in several places")
        }
    }

    func run() throws {
        var operation = MergeSessions(
            paths.dropLast().map { FilePath($0) }, to: FilePath(paths[paths.count - 1]))
        operation.secrets = passwords.sources
        operation.includesExpired = includeExpired
        operation.media = media.choice
        if dryRun.isAsked {
            let plan = try output.plan(operation, passwords.answers)
            return try output.print(plan, type: "sessionMergePlan") { plan.text }
        }
        let report = try output.run(operation, passwords.answers)
        try output.print(report, type: "sessionsMerged") { report.text }
        try output.complain(damaged: report.damaged)
        if report.hasEntryErrors { throw ExitStatusError(status: .entryErrors) }
    }
}

extension SessionMergePlan {
    /// What would be written, for a user.
    var text: String {
        let lines = stores.map {
            "\($0.number): \($0.kind.name), \($0.name), \(Count.text($0.messages, "message"))"
        }
        let what = "\(Count.text(messages, "message")) of \(Count.text(chats, "chat"))"
        return (lines + ["would merge \(what) into \(path), \(shared) of them on several devices"])
            .joined(separator: "\n")
    }
}

extension SessionMergeReport {
    /// What was written, for a user.
    var text: String {
        var lines = [
            "merged \(Count.text(messages, "message")) of \(Count.text(chats, "chat")) into \(path), \(shared) of them on several devices"
        ]
        let all = conflicts.values.reduce(0, +)
        if all > 0 {
            let kinds = conflicts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            lines.append("\(Count.text(all, "contradiction")): \(kinds.joined(separator: ", "))")
        }
        if repeated > 0 { lines.append("\(Count.text(repeated, "repeated message")) left out") }
        if removed > 0 { lines.append("\(Count.text(removed, "message")) removed on one device: kept") }
        if doubts > 0 {
            lines.append("\(Count.text(doubts, "pair")) of messages that may be the same: both kept")
        }
        if copied > 0 { lines.append("copied \(Count.text(copied, "file")) (\(Count.bytes(copiedSize)))") }
        if duplicates > 0 {
            lines.append("\(Count.text(duplicates, "file")) with the same content as another one")
        }
        for state in ["left-out", "missing", "damaged", "unfinished"] {
            guard let count = media[state], count > 0 else { continue }
            let words = ["left-out": "left out", "unfinished": "never received"][state] ?? state
            lines.append("\(Count.text(count, "file")) \(words)")
        }
        lines += FirstLines.of(problems, of: problems.count) { "\($0.name): \($0.message)" }
        return lines.joined(separator: "\n")
    }
}
