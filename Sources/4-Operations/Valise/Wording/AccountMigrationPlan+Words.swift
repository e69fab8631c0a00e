import ValiseAccounts
import ValiseDatabase
import ValiseEncoding
package import ValiseMaintenance

extension AccountMigrationPlan {
    /// What it would do, and the space that it takes, for the user.
    package var text: String {
        var lines: [String] = []
        for step in steps {
            let name = step.database.rawValue
            switch step.direction {
            case .none: lines.append("\(name): up to date")
            case .impossible: lines.append("\(name): \(Self.text(step.mismatch))")
            case .up: lines.append("\(name): \(Count.text(step.migrations.count, "migration")) to run")
            case .down: lines.append("\(name): \(Count.text(step.migrations.count, "migration")) to undo")
            }
            lines += step.migrations.map { "  \($0)" }
        }
        if !isEmpty {
            lines.append(
                "needs \(Count.bytes(spaceNeeded)) of free space; \(Count.bytes(freeSpace)) available")
        }
        return lines.joined(separator: "\n")
    }

    private static func text(_ mismatch: MigrationMismatch?) -> String {
        switch mismatch {
        case .noDown(let names): "cannot undo \(names.joined(separator: ", "))"
        case .different(let app, let database):
            "different history: found '\(database)' instead of '\(app)'"
        case nil: "no migration path"
        }
    }
}
