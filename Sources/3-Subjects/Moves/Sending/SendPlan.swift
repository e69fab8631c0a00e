public import ValiseAccountArchives
package import ValiseAccounts

/// The dry run of sending an account, which changes nothing.
public struct SendPlan: Sendable, Encodable {
    /// How many files would be sent, including the databases.
    public let entries: Int
    /// The size of these files, in bytes.
    public let sourceSize: Int64
    /// The maximum size of the archive, in bytes: some hundred bytes per entry more than its files.
    public let archiveSize: Int64
    /// How many chunks relays would get, at most; none of an archive file.
    package let chunks: Int
    /// Each has a link of its own, and all are needed; more than one for what is larger than 5 GiB.
    package let parts: Int
    /// Files that cannot be sent, with the reason.
    public let archiveErrors: [ArchiveError]
    /// Databases with a journal that a crashed program left: it is folded in first, which is an operation of its own.
    package let folded: [AccountDatabase]
    /// Whether an app has saved its settings in the chat database.
    package let hasAppSettings: Bool
    /// What would travel in the link.
    package let networkConfig: NetworkConfig?
    /// Whether the official apps can receive it: they take one link, and at most 5 GiB.
    package var officialAppsCanReceive: Bool { parts == 1 }
    /// The relays it would be sent to; none for an archive file.
    public let relays: [String]
    /// The archive file; nil for relays.
    package let archive: String?
    /// Bytes that are free where the archive would be written; nil for relays.
    package let freeSpace: Int64?

    private enum Keys: String, CodingKey {
        case entries, sourceSize, archiveSize, chunks, parts, archiveErrors, folded, hasAppSettings
        case networkConfig, officialAppsCanReceive, relays, archive, freeSpace
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(entries, forKey: .entries)
        try container.encode(sourceSize, forKey: .sourceSize)
        try container.encode(archiveSize, forKey: .archiveSize)
        try container.encode(chunks, forKey: .chunks)
        try container.encode(parts, forKey: .parts)
        try container.encode(archiveErrors, forKey: .archiveErrors)
        try container.encode(folded, forKey: .folded)
        try container.encode(hasAppSettings, forKey: .hasAppSettings)
        try container.encodeIfPresent(networkConfig, forKey: .networkConfig)
        try container.encode(officialAppsCanReceive, forKey: .officialAppsCanReceive)
        try container.encode(relays, forKey: .relays)
        try container.encodeIfPresent(archive, forKey: .archive)
        try container.encodeIfPresent(freeSpace, forKey: .freeSpace)
    }
}
