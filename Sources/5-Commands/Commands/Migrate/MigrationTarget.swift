import ArgumentParser
import Valise

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
