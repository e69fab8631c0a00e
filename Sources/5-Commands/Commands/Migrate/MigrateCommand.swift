import ArgumentParser

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Upgrade or downgrade the schema of both databases.",
        discussion: """
            Both databases change atomically. Only databases created by Valise are migrated. Those of the official \
            programs are recognized and left alone.
            """,
        subcommands: [
            MigratePlan.self, MigrateRun.self, MigrateRollback.self, MigrateConfirm.self, MigrateStatus.self,
        ])
}
