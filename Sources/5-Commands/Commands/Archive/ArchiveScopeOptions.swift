import ArgumentParser
import Valise

/// Which parts of an account go into an archive.
struct ArchiveScopeOptions: ParsableArguments {
    @Flag(help: "Leave out all media and wallpapers.")
    var onlyDatabases = false

    @Flag(help: "Leave out all media, but keep wallpapers.")
    var withoutMedia = false

    @Option(
        help: ArgumentHelp(
            "Include only media of messages since this time, such as 2026-01-31, or 30d for the last 30 days.",
            valueName: "time"))
    var mediaSince: MomentArgument?

    @Option(
        help: ArgumentHelp(
            "Include only media of this chat: @name for a contact, #name for a group, * for the notes. Repeatable.",
            valueName: "name"))
    var chat: [String] = []

    func validate() throws {
        let choices = [onlyDatabases, withoutMedia, mediaSince != nil || !chat.isEmpty].count { $0 }
        guard choices <= 1 else {
            throw ValidationError(
                "Use either --only-databases, --without-media, or --media-since and --chat")
        }
    }

    var scope: ArchiveScope {
        if onlyDatabases { return .onlyDatabases }
        if withoutMedia { return .withoutMedia }
        if mediaSince == nil, chat.isEmpty { return .complete }
        return .media(chats: chat, since: mediaSince?.seconds)
    }
}
