import ArgumentParser
import Valise

/// To which schema.
struct MigrationTarget: ParsableArguments {
    @Option(
        name: .customLong("to-chat"), help: "The last migration of the chat database; the newest by default.")
    var chat: String?

    @Option(
        name: .customLong("to-agent"),
        help: "The last migration of the agent database; the newest by default.")
    var agent: String?

    var targets: [AccountDatabase: String] {
        var targets: [AccountDatabase: String] = [:]
        (targets[.chat], targets[.agent]) = (chat, agent)
        return targets
    }
}

/// A plan for a user.
enum MigrationPlanText {
    static func text(_ plan: AccountMigrationPlan) -> String {
        var lines: [String] = []
        for step in plan.steps {
            let name = step.database.rawValue
            switch step.direction {
            case .none: lines.append("\(name): nothing to do")
            case .impossible: lines.append("\(name): \(mismatch(step.mismatch))")
            case .up: lines.append("\(name): run \(step.migrations.count)")
            case .down: lines.append("\(name): undo \(step.migrations.count)")
            }
            lines += step.migrations.map { "  \($0)" }
        }
        if !plan.isEmpty {
            lines.append(
                "needs \(ByteCount.text(plan.spaceNeeded)) while it runs; "
                    + "\(ByteCount.text(plan.freeSpace)) are free")
        }
        return lines.joined(separator: "\n")
    }

    static func mismatch(_ mismatch: MigrationMismatch?) -> String {
        switch mismatch {
        case .noDown(let names): "no way back for \(names.joined(separator: ", "))"
        case .different(let app, let database):
            "another history: '\(database)' is where this program has '\(app)'"
        case nil: "no way"
        }
    }
}
