import ArgumentParser

struct ArchiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Export an account to a zip, import one; verify, compare and salvage archives.",
        discussion: "The zip is the one that the official programs export and import.",
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
