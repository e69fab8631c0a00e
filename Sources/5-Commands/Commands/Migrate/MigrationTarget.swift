import ArgumentParser
import Valise
import ValiseEncoding

/// The target schema.
struct MigrationTarget: ParsableArguments {
    @Option(
        name: .customLong("to-chat"),
        help: "Migrate the chat database to this migration; by default the newest.")
    var chat: String?

    @Option(
        name: .customLong("to-agent"),
        help: "Migrate the agent database to this migration; by default the newest.")
    var agent: String?

    var targets: [AccountDatabase: String] {
        var targets: [AccountDatabase: String] = [:]
        (targets[.chat], targets[.agent]) = (chat, agent)
        return targets
    }
}

/// A plan, for the user.
enum MigrationPlanText {
    static func text(_ plan: AccountMigrationPlan) -> String {
        var lines: [String] = []
        for step in plan.steps {
            let name = step.database.rawValue
            switch step.direction {
            case .none: lines.append("\(name): up to date")
            case .impossible: lines.append("\(name): \(mismatch(step.mismatch))")
            case .up: lines.append("\(name): \(Count.text(step.migrations.count, "migration")) to run")
            case .down: lines.append("\(name): \(Count.text(step.migrations.count, "migration")) to undo")
            }
            lines += step.migrations.map { "  \($0)" }
        }
        if !plan.isEmpty {
            lines.append(
                "needs \(ByteCount.text(plan.spaceNeeded)) of free space; "
                    + "\(ByteCount.text(plan.freeSpace)) available")
        }
        return lines.joined(separator: "\n")
    }

    static func mismatch(_ mismatch: MigrationMismatch?) -> String {
        switch mismatch {
        case .noDown(let names): "cannot undo \(names.joined(separator: ", "))"
        case .different(let app, let database):
            "different history: found '\(database)' instead of '\(app)'"
        case nil: "no migration path"
        }
    }
}
