import Valise
import ValiseEncoding
import ValiseTerminal

/// The status of an account, for the user.
struct AccountStatusText {
    let status: AccountStatus

    var text: String {
        let account = Remedy.Account(directory: FilePath(status.directory), prefix: status.prefix)
        var lines = ["\(status.directory)  (prefix \(status.prefix), \(styleName))"]
        if let mark = status.retired {
            lines.appendField("retired", mark.sentence)
            lines.appendField("", "to remove it: valise move remove \(location.arguments)")
            lines.appendField("", "to restore it: valise move restore \(location.arguments)")
        }
        for (database, status) in status.databases { lines += describe(database, status) }
        lines.appendField("media", describe(status.media) + describe(status.mediaSummary))
        lines.appendField("wallpapers", describe(status.wallpapers))
        lines.appendField("free space", ByteCount.text(status.freeSpace))
        if let mark = status.readOnly { lines.appendField("archive", describe(mark)) }
        if let interrupted = status.interrupted {
            let pending = Remark(interrupted.meaning, remedy: .recoverAccount(account))
            lines.appendField("interrupted", pending.text)
        }
        if let backup = status.migrationBackup {
            let kept = "databases from before the last migration, \(ByteCount.text(backup))"
            lines.appendField("backup", Remark(kept, remedy: .confirmOrRollBack(account)).text)
        }
        if status.move != nil {
            lines.appendField("move", "under way; 'valise move status' shows the next step")
        }
        if let inUse = status.inUse { lines.appendField("in use", "by \(inUse)") }
        return lines.map(\.withoutControls).joined(separator: "\n")
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
            FieldLine.text(database.rawValue, "\(ByteCount.text(status.size)), \(encryption(status))")
        ]
        if let schema = status.schema { lines += describe(schema).map { FieldLine.text("", $0) } }
        if let problem = status.problem { lines.appendField("", problem) }
        if let journal = status.journal {
            lines.appendField(
                "", "leftover journal, \(ByteCount.text(journal)); the next change applies it"
            )
        }
        if let log = status.writeAheadLog {
            lines.appendField("", "write-ahead log beside it, \(ByteCount.text(log))")
        }
        if !status.copies.isEmpty {
            let names = status.copies.joined(separator: ", ")
            lines.appendField("", "older copies, with the passphrase they had then: \(names)")
        }
        return lines
    }

    private func encryption(_ status: DatabaseStatus) -> String {
        switch status.form {
        case .missing: return "missing"
        case .empty: return status.isDamaged ? "damaged" : "empty file"
        case .unknown: return status.isDamaged ? "damaged" : "not a database"
        case .unencrypted: return status.isDamaged ? "not encrypted, damaged" : "not encrypted"
        case .encrypted: break
        }
        switch status.access {
        case .opened:
            guard let cipher = status.cipher else { return "encrypted" }
            let form =
                cipher.isDefault
                ? "encrypted, SQLCipher 4 defaults"
                : "encrypted, \(cipher.pageSize)-byte pages, \(Count.text(cipher.kdfIterations, "iteration"))"
            return status.isDamaged ? "\(form), damaged" : form
        case .refused: return status.isDamaged ? "encrypted, damaged" : "encrypted, wrong passphrase"
        case .failed: return status.isDamaged ? "encrypted, damaged" : "encrypted, not opened"
        case .noPassphrase, .notNeeded, .noDatabase:
            return "encrypted or damaged; unknown without the passphrase"
        }
    }

    private func describe(_ mark: ReadOnlyMark) -> String {
        let origin = (mark.archive.map { " from \($0)" } ?? "") + (mark.imported.map { ", \($0)" } ?? "")
        return "imported read-only\(origin); it cannot be changed or run"
    }

    /// Whether 'valise migrate run' would accept this account.
    private var canMigrate: Bool {
        status.readOnly == nil && status.retired == nil
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
            let state =
                schema.pending.isEmpty
                ? "up to date"
                : "\(schema.pending.count) pending" + (canMigrate ? " ('valise migrate run')" : "")
            lines.append("valise schema, \(Count.text(schema.applied, "migration")), \(state)")
        }
        if schema.isNewer {
            lines.append("made by a newer program: \(schema.unknown.joined(separator: ", "))")
        }
        if let drift = schema.drift, !drift.isClean {
            lines.append("differs from its migrations; 'valise migrate status' shows where")
        }
        return lines
    }

    private func describe(_ folder: AccountStatus.FolderStatus) -> String {
        folder.exists ? "\(Count.text(folder.files, "file")), \(ByteCount.text(folder.size))" : "no folder"
    }
    /// Such as `; 7 encrypted, 4 unencrypted, 1 missing`.
    private func describe(_ summary: MediaSummary?) -> String {
        guard let summary else { return "" }
        let parts = [
            (summary.encrypted, "encrypted"), (summary.plain, "unencrypted"), (summary.missing, "missing"),
            (summary.differing, "of the wrong size"), (summary.elsewhere, "outside the account"),
        ].filter { $0.0.count > 0 }.map { "\($0.0.count) \($0.1)" }
        return parts.isEmpty ? "" : "; " + parts.joined(separator: ", ")
    }
}
