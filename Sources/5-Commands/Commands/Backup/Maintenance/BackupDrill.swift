import ArgumentParser
import Valise
import ValiseEncoding

struct BackupDrill: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "drill", abstract: "Prove that the newest snapshots can be restored.",
        discussion: """
            Restores the databases of the newest snapshot of each account into a private folder, in memory if there is \
            space, under a random passphrase. Opens both, verifies every page, walks all tables and indexes, and reads a \
            sample of the other files, each piece of which has a digest. Then everything is removed; what a killed drill \
            left is removed by the next one. Databases that the account has unencrypted are read in the repository. Of a \
            store of Session, the restored database is opened with the key in its configuration, or with its password. The \
            result is remembered; 'valise backup status' shows it. The exit status is 13 if something is damaged, 12 for \
            a wrong passphrase.
            """)

    @Argument(
        help: ArgumentHelp(
            "The account folder, or folder and prefix in one. If left out: all accounts in the repository.",
            valueName: "account"), completion: .directory)
    var directory: String?

    @Option(help: "Prefix of the database names, if the folder holds several accounts.")
    var prefix: String?

    @Option(
        help: ArgumentHelp(
            "Use this snapshot instead of the newest: its ID, or the first digits of it.", valueName: "id"))
    var snapshot: String?

    @OptionGroup var repository: RepositoryChoiceOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if directory != nil, snapshot != nil {
            throw ValidationError("Use only one of an account and --snapshot")
        }
        if directory == nil, prefix != nil { throw ValidationError("--prefix requires an account") }
    }

    func run() throws {
        var operation = DrillSnapshot(try repository.input(), passphrase: passphrase.choice)
        operation.account = try directory.map {
            try AccountLocation.place(FilePath($0), prefix: prefix)
        }
        operation.snapshot = snapshot
        let report = try output.run(operation, Answers(passphrase))
        try output.print(report, type: "backupDrill") { Self.text(report) }
        let outcomes = Set(report.drills.map(\.outcome))
        if outcomes.contains(.damaged) { throw ExitStatusError(status: .damaged) }
        if outcomes.contains(.wrongPassphrase) { throw ExitStatusError(status: .wrongPassphrase) }
    }

    private static func text(_ report: SnapshotDrills) -> String {
        var lines = report.drills.flatMap(text)
        if !report.skipped.isEmpty {
            lines.append("skipped \(Count.text(report.skipped.count, "snapshot")) without an account")
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private static func text(_ drill: SnapshotDrill) -> [String] {
        let result =
            switch drill.outcome {
            case .passed: "passed"
            case .damaged: "damaged"
            case .wrongPassphrase: "wrong passphrase"
            }
        var lines = ["\(drill.path): \(result) (snapshot \(drill.snapshot.prefix(8)) of \(drill.time))"]
        if let failure = drill.failure { lines.append("  \(failure)") }
        guard drill.outcome != .wrongPassphrase else { return lines }
        lines += drill.databases.map(text)
        if let session = drill.session { lines.append("  \(session.text)") }
        if let media = drill.media {
            lines.append(
                "  other files: read \(media.checked) of \(media.files) (\(Count.bytes(media.checkedSize)))"
                    + (media.missing > 0
                        ? "; \(Count.text(media.missing, "file")) missing when it was backed up" : ""))
            lines += FirstLines.of(media.problems, of: media.problems.count, indent: "    ") {
                "\($0.name): \($0.message)"
            }
        }
        return lines
    }

    private static func text(_ database: SnapshotDrill.Database) -> String {
        let name = "  \(database.database.rawValue): "
        guard database.isIntact else {
            return name + (database.problems.first ?? "damaged")
        }
        let pages = database.pages.map { ", \(Count.text($0, "page"))" } ?? ""
        return "\(name)\(Count.bytes(database.size))\(pages), intact"
    }
}
