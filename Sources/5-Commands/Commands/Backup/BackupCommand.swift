import ArgumentParser

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Back up accounts: incremental, deduplicated, encrypted.",
        discussion: """
            A repository keeps snapshots of accounts: in a folder, or on a server over SFTP, REST or S3. It has the format of \
            restic, which can list, check and restore it too. What has not changed since the last snapshot is not stored \
            again. The repository has a password of its own.
            """,
        subcommands: [
            BackupInit.self, BackupRunCommand.self, BackupList.self, BackupShow.self, BackupDiff.self,
            BackupRestore.self, BackupVerify.self, BackupDrill.self, BackupForget.self, BackupPrune.self,
            BackupRepair.self, BackupKeyCommand.self, BackupPasswordCommand.self, BackupStatusCommand.self,
            BackupScheduleCommand.self, BackupPing.self,
        ])
}
