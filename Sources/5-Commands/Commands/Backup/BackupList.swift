import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

struct BackupList: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the snapshots of a repository.",
        discussion: """
            The oldest snapshot is first. A snapshot with the tag partial lacks files; with the tag in-use, a program was \
            using the account. The exit status is 3 if a snapshot cannot be read.
            """)

    @Argument(
        help: ArgumentHelp(
            "Only snapshots of this account: its folder, or folder and prefix in one.", valueName: "dir"),
        completion: .directory)
    var account: String?

    @Option(help: ArgumentHelp("Only snapshots made on this machine.", valueName: "name"))
    var host: String?

    @Option(help: ArgumentHelp("Only snapshots with this tag. Repeatable.", valueName: "tag"))
    var tag: [String] = []

    @Option(help: ArgumentHelp("Only the newest N.", valueName: "n"))
    var last: Int?

    @OptionGroup var repository: RepositoryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard last ?? 1 > 0 else { throw ValidationError("--last must be at least 1") }
    }

    func run() throws {
        var operation = ListSnapshots(in: try repository.input())
        operation.account = try account.map { try AccountLocation.place(FilePath($0)) }
        operation.hostname = host
        operation.tags = tag
        operation.most = last
        let list = try output.run(operation, Answers(repository))
        try output.print(list, type: "backupSnapshots") { Self.text(list) }
        if list.hasEntryErrors {
            if !output.json { SnapshotText.complain(list.entryFailures) }
            throw ExitStatusError(status: .entryErrors)
        }
    }

    private static func text(_ list: SnapshotList) -> String {
        guard !list.snapshots.isEmpty else { return "no snapshots" }
        let rows = list.snapshots.map { snapshot in
            [
                snapshot.shortID, snapshot.minute, snapshot.size.map(Count.bytes) ?? "-",
                snapshot.storedSize.map(Count.bytes) ?? "-", snapshot.hostname,
                snapshot.paths.joined(separator: ", "), snapshot.tags.joined(separator: ","),
            ].map(\.withoutControls)
        }
        let lines = SnapshotText.table(
            [["ID", "time", "size", "stored", "host", "account", "tags"]] + rows, rightAligned: [2, 3])
        return (lines + [Count.text(list.count, "snapshot")]).joined(separator: "\n")
    }
}
