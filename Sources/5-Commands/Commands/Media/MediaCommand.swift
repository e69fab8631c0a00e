import ArgumentParser

struct MediaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "media", abstract: "Encrypt, check and export media files.",
        subcommands: [
            MediaEncryptCommand.self, MediaDecryptCommand.self, MediaAuditCommand.self,
            MediaExportCommand.self, MediaPurgeCommand.self, MediaPlan.self,
        ])
}
