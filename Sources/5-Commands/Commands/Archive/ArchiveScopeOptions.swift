import ArgumentParser
import Valise

/// Which parts of an account go into an archive.
struct ArchiveScopeOptions: ParsableArguments {
    @Flag(help: "Leave out all media and wallpapers.")
    var onlyDatabases = false

    @Flag(help: "Leave out all media, and keep the wallpapers.")
    var withoutMedia = false

    @Option(
        help: ArgumentHelp(
            "Only media of messages of this time or later: 2026-01-31, or 30d for the last 30 days.",
            valueName: "time"))
    var mediaSince: MomentArgument?

    @Option(
        help: ArgumentHelp(
            "Only media of this chat: @name a contact, #name a group, * the notes. May be repeated.",
            valueName: "name"))
    var chat: [String] = []

    func validate() throws {
        let choices = [onlyDatabases, withoutMedia, mediaSince != nil || !chat.isEmpty].count { $0 }
        guard choices <= 1 else {
            throw ValidationError(
                "--only-databases and --without-media leave out all media; give one of them, or --media-since "
                    + "and --chat.")
        }
    }

    var scope: ArchiveScope {
        if onlyDatabases { return .onlyDatabases }
        if withoutMedia { return .withoutMedia }
        if mediaSince == nil, chat.isEmpty { return .whole }
        return .media(chats: chat, since: mediaSince?.seconds)
    }
}
