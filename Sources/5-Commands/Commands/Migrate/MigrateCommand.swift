import ArgumentParser

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Bring both databases to another schema, atomically.",
        discussion: """
            Only databases that Valise made are migrated. Those of the official programs are recognised and \
            left alone.
            """,
        subcommands: [
            MigratePlan.self, MigrateRun.self, MigrateRollback.self, MigrateConfirm.self, MigrateStatus.self,
        ])
}
