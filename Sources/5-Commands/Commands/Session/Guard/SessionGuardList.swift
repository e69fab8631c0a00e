import ArgumentParser
import Valise
import ValiseEncoding

struct SessionGuardList: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List guards and their contents.",
        discussion: """
            Lists the guards next to a store, those in a folder, or one guard. With --verify, every file is compared with \
            the record of its guard; the exit status is 13 for damage. No key is needed.
            """)

    @Argument(
        help: ArgumentHelp("A store, a folder that contains guards, or a guard.", valueName: "path"),
        completion: .directory)
    var path: String

    @Flag(help: "Compare every file with the record.")
    var verify = false

    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = ListSessionGuards(FilePath(path))
        operation.verifies = verify
        let list = try output.run(operation)
        try output.print(list, type: "sessionGuards") {
            list.guards.map { Self.text($0).withoutControls }.joined(separator: "\n")
        }
        if list.guards.isEmpty { output.note("no guards") }
        if list.isRestorePending {
            output.note("a restore was interrupted: the next take or restore completes it")
        }
        if !list.isIntact { throw ExitStatusError(status: .damaged) }
    }

    private static func text(_ entry: ListedSessionGuard) -> String {
        var parts: [String] = []
        if let taken = entry.taken, let age = entry.age {
            parts.append("\(taken) (\(Self.age(age)) old)")
        }
        if let content = entry.content { parts += [content.schema.text, content.text] }
        if let size = entry.size { parts.append(Count.bytes(size)) }
        if entry.state != .unverified { parts.append(entry.state.rawValue) }
        if let problem = entry.problem { parts.append(problem) }
        return "\(entry.path): \(parts.joined(separator: ", "))"
    }

    private static func age(_ seconds: Int64) -> String {
        let days = seconds / 86_400
        return days > 1 ? Count.text(days, "day") : ShortDuration.estimate(.seconds(seconds))
    }
}
