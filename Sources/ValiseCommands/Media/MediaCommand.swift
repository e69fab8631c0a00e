import ArgumentParser

struct MediaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "media", abstract: "Look after files that are sent and received.",
        subcommands: [MediaPlan.self, MediaAuditCommand.self])
}
