import ArgumentParser

struct ArchiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive", abstract: "Export, import, verify, compare and recover archives.",
        discussion: """
            The official apps export and import zip archives. Valise writes zip and tar archives, and reads zip, tar \
            (also compressed with gzip, xz or Zstandard), cpio and 7z archives.
            """,
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
