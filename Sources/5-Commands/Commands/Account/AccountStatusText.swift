import Valise
import ValiseEncoding
import ValiseTerminal

/// The status of an account, for the user.
struct AccountStatusText {
    let status: AccountStatus

    var text: String {
        var lines = ["\(status.directory)  (prefix \(status.prefix), \(styleName))"]
        if let mark = status.retired {
            lines.appendField("retired", mark.sentence)
        }
        for (database, status) in status.databases { lines += describe(database, status) }
        lines.appendField("media", status.media.text + describe(status.mediaSummary))
        lines.appendField("wallpapers", status.wallpapers.text)
        lines.appendField("free space", Count.bytes(status.freeSpace))
        if let mark = status.readOnly { lines.appendField("archive", describe(mark)) }
        if let interrupted = status.interrupted { lines.appendField("interrupted", interrupted.meaning) }
        if let backup = status.migrationBackup {
            lines.appendField("backup", "databases from before the last migration, \(Count.bytes(backup))")
        }
        if status.move != nil { lines.appendField("move", "under way") }
        if let inUse = status.inUse { lines.appendField("in use", "by \(inUse)") }
        return (lines + hints.map(\.note)).map(\.withoutControls).joined(separator: "\n")
    }

    private var hints: [Hint] {
        let account = Remedy.Account(location)
        var remedies: [Remedy] = []
        if status.retired != nil { remedies.append(.removeOrRestoreRetired(account)) }
        if status.interrupted != nil { remedies.append(.recoverAccount(account)) }
        if status.migrationBackup != nil { remedies.append(.confirmOrRollBack(account)) }
        if status.mediaSummary?.damagedRows != nil { remedies.append(.checkAccount(account)) }
        var hints = remedies.flatMap(RemedyCommand.hints)
        if status.move != nil {
            let folder = ShellWord(location.directory).text
            hints.append(Hint("see the next step of the move", command: "move status", folder))
        }
        let schemas = status.databases.compactMap { $0.1.schema }
        if canMigrate, schemas.contains(where: { !$0.pending.isEmpty }) {
            hints.append(Hint("run the migrations", command: "migrate run", location.arguments))
        }
        if schemas.contains(where: { $0.drift?.isClean == false }) {
            hints.append(Hint("see where it differs", command: "migrate status", location.arguments))
        }
        return hints
    }

    private var location: AccountLocation {
        AccountLocation(
            directory: FilePath(status.directory), prefix: status.prefix, style: status.style)
    }

    private var styleName: String {
        switch status.style {
        case .desktop: "desktop or command line"
        case .ios: "iOS"
        case .android: "Android"
        }
    }

    private func describe(_ database: AccountDatabase, _ status: DatabaseStatus) -> [String] {
        guard status.form != .missing else {
            return [
                FieldLine.text(
                    database.rawValue,
                    self.status.retired == nil
                        ? "missing" : "set aside as \(location.retiredPath(of: database))")
            ]
        }
        var lines = [
            FieldLine.text(database.rawValue, "\(Count.bytes(status.size)), \(status.encryption)")
        ]
        if let schema = status.schema { lines += describe(schema).map { FieldLine.text("", $0) } }
        if let problem = status.problem, !status.encryption.hasSuffix(problem) {
            lines.appendField("", problem)
        }
        if let journal = status.journal {
            lines.appendField(
                "", "leftover journal, \(Count.bytes(journal)); the next change applies it"
            )
        }
        if let log = status.writeAheadLog {
            lines.appendField("", "write-ahead log beside it, \(Count.bytes(log))")
        }
        if !status.copies.isEmpty {
            let names = status.copies.joined(separator: ", ")
            lines.appendField("", "older copies, with the passphrase they had then: \(names)")
        }
        return lines
    }

    private func describe(_ mark: ReadOnlyMark) -> String {
        let origin = (mark.archive.map { " from \($0)" } ?? "") + (mark.imported.map { ", \($0)" } ?? "")
        return "imported read-only\(origin); it cannot be changed or run"
    }

    /// Whether 'valise migrate run' would accept this account.
    private var canMigrate: Bool {
        status.readOnly == nil && status.retired == nil && status.migrationBackup == nil
            && status.databases.allSatisfy {
                $0.1.schema.map { $0.origin == .valise && !$0.isNewer } ?? false
            }
    }

    private func describe(_ schema: SchemaStatus) -> [String] {
        var lines: [String] = []
        switch schema.origin {
        case .none: lines.append("no migrations")
        case .otherDatabase: lines.append("schema of the account's other database, under the wrong name")
        case .unknown: lines.append("\(Count.text(schema.applied, "migration")) by an unknown program")
        case .official:
            let count = Count.text(schema.applied, "migration")
            lines.append("official schema, \(count), newest \(schema.newest ?? "")")
        case .valise:
            let state = schema.pending.isEmpty ? "up to date" : "\(schema.pending.count) pending"
            lines.append("valise schema, \(Count.text(schema.applied, "migration")), \(state)")
        }
        if schema.isNewer {
            lines.append("made by a newer program: \(schema.unknown.joined(separator: ", "))")
        }
        if let drift = schema.drift, !drift.isClean {
            lines.append("differs from its migrations")
        }
        return lines
    }

    /// Such as `; 7 encrypted, 4 unencrypted, 1 missing, 2 damaged rows not counted`.
    private func describe(_ summary: MediaSummary?) -> String {
        guard let summary else { return "" }
        let parts = [
            (summary.encrypted, "encrypted"), (summary.plain, "unencrypted"), (summary.missing, "missing"),
            (summary.differing, "of the wrong size"), (summary.elsewhere, "outside the account"),
        ].filter { $0.0.count > 0 }.map { "\($0.0.count) \($0.1)" }
        let damaged = summary.damagedRows.map { ["\(Count.text($0, "damaged row")) not counted"] } ?? []
        return (parts + damaged).isEmpty ? "" : "; " + (parts + damaged).joined(separator: ", ")
    }
}
