/// The parts of an account that an archive contains. The databases are always included completely, byte for byte.
public enum ArchiveScope: Sendable, Equatable, Codable {
    /// Everything.
    case complete
    /// Neither media nor wallpapers.
    case onlyDatabases
    /// Databases and wallpapers.
    case withoutMedia
    /// Databases, wallpapers, and media of some messages.
    /// - Parameters:
    ///   - chats: names as `AccountMedia.MediaSelection.chats` has them; empty for all.
    ///   - since: messages of this time and later, in seconds since 1970; nil for all.
    case media(chats: [String], since: Int64?)

    /// Jobs of earlier versions have these names.
    private enum CodingKeys: String, CodingKey {
        case complete = "whole"
        case onlyDatabases, withoutMedia, media
    }
}
