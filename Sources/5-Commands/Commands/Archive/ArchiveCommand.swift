import ArgumentParser

struct ArchiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive", abstract: "Export, import, verify, compare and recover archives.",
        discussion: "Archives are zip files, as the official apps export and import them.",
        subcommands: [
            ArchiveExportCommand.self,
            ArchiveImportCommand.self,
            ArchiveList.self,
            ArchiveVerifyCommand.self,
            ArchiveSalvageCommand.self,
            ArchiveDiffCommand.self,
            ArchiveExtractCommand.self,
        ])
}
