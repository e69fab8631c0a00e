package import ArgumentParser

/// `valise`.
package struct ValiseCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "valise", abstract: "Back up, move, check and re-encrypt SimpleX Chat accounts.",
        discussion: """
            An account is two databases (simplex_v1_chat.db, simplex_v1_agent.db) and media folders, as SimpleX \
            Chat keeps them. The app is not needed. Results go to standard output, everything else to standard error.

            \(ExitStatus.table)
            """,
        version: "0.1.0",
        subcommands: [
            AccountCommand.self, KeyCommand.self, MigrateCommand.self, ArchiveCommand.self,
            ChatCommand.self, BackupCommand.self, StoreCommand.self, MountCommand.self, FileCommand.self,
            MediaCommand.self, MoveCommand.self, SessionCommand.self, ComposeCommand.self, JobsCommand.self,
            SchemaCommand.self, DoctorCommand.self,
        ])

    package init() {}
}
