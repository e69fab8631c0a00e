import ArgumentParser

struct MediaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "media", abstract: "Look at files that are sent and received.",
        subcommands: [MediaPlan.self, MediaExportCommand.self, MediaPurgeCommand.self])
}
