import ArgumentParser
import Valise
import ValiseEncoding

struct BackupShow: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what is in a snapshot.",
        discussion: """
            Lists its files by their names in an archive, with how the databases are kept, and what was damaged or missing \
            when the account was backed up.
            """)

    @Argument(help: "The snapshot: the first digits of its ID, or latest.")
    var snapshot: String

    @OptionGroup var repository: RepositoryOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = ShowSnapshot(snapshot, in: try repository.input())
        let shown = try output.run(operation, Answers(repository))
        try output.print(shown, type: "backupSnapshot") { Self.text(shown) }
    }

    private static func text(_ shown: ShownSnapshot) -> String {
        var lines = [SnapshotText.title(shown.sketch)]
        lines += shown.sketch.paths.map { "account: \($0)" }
        if let account = shown.account { lines += text(account) }
        let size = shown.files.reduce(Int64(0)) { $0 + $1.size }
        lines.append("\(Count.text(shown.files.count, "file")) (\(Count.bytes(size)))")
        lines += SnapshotText.table(
            shown.files.map { [Count.bytes($0.size), $0.name.withoutControls] }, rightAligned: [])
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private static func text(_ account: BackedUpAccount) -> [String] {
        var lines = account.databases.map { database in
            let damage =
                database.damagedPages == 0
                ? "" : ", \(Count.text(database.damagedPages, "damaged page"))"
            return "\(database.database.rawValue) database: \(words(database.mode)), "
                + "\(Count.text(database.pages, "page"))\(damage)"
        }
        if let session = account.session { lines.append(session.text) }
        if account.isInUse { lines.append("a program was using the account") }
        lines += FirstLines.of(account.problems, of: account.problems.count) {
            "missing or damaged: \($0.name): \($0.reason)"
        }
        lines += FirstLines.of(account.leftOut, of: account.leftOut.count) { "left out: \($0)" }
        return lines
    }

    private static func words(_ mode: String) -> String {
        switch mode {
        case "open": "kept open; the password of the repository protects it"
        case "sealed": "kept sealed with its passphrase"
        default: mode
        }
    }
}
