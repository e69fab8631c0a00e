import Valise
import ValiseEncoding

/// A restore or its plan, for a user.
enum RestoreText {
    static func text(_ restored: RestoredSnapshot) -> String {
        let count = restored.files + restored.databases.count
        var lines = [
            "restored \(Count.text(count, "file")) (\(Count.bytes(restored.size))) of "
                + "\(SnapshotText.title(restored.snapshot)) to \(restored.directory)"
        ]
        if let session = restored.session { lines.append(session.text) }
        if restored.replacedAccount { lines.append("replaced the account in this folder") }
        if let kept = restored.keptPrevious {
            lines.append("the previous account is in \(kept.directory)")
        }
        if restored.skipped > 0 { lines.append(skipped(restored.skipped, "were")) }
        for database in restored.databases where database.mode == "sealed" && database.isEncrypted {
            lines.append(
                "the \(database.database.rawValue) database has the passphrase of the day of the backup")
        }
        for database in restored.databases where !database.isEncrypted {
            lines.append("the \(database.database.rawValue) database is not encrypted")
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    static func text(_ plan: RestorePlan) -> String {
        var lines = [
            "would restore \(Count.text(plan.files, "file")) (\(Count.bytes(plan.size))) of "
                + "\(SnapshotText.title(plan.snapshot)) to \(plan.directory); "
                + "\(Count.bytes(plan.spaceNeeded)) needed, \(Count.bytes(plan.freeSpace)) free"
        ]
        if plan.replacesAccount { lines.append("would replace the account in this folder") }
        if let kept = plan.keptPrevious { lines.append("the previous account would be kept in \(kept)") }
        if plan.skipped > 0 { lines.append(skipped(plan.skipped, "are")) }
        if plan.needsPassphrase { lines.append("the databases would be encrypted with a passphrase") }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private static func skipped(_ count: Int, _ verb: String) -> String {
        "\(Count.text(count, "file")) \(count == 1 && verb == "are" ? "is" : count == 1 ? "was" : verb) there already"
    }
}
