/// A file, a symbolic link or a folder, as an app shows it.
public struct ProviderItem: Sendable, Hashable {
    /// What an item is.
    public enum Kind: Sendable, Hashable {
        /// A regular file.
        case file
        /// It has items, or a marker.
        case folder
        /// A symbolic link, and where it points to.
        case symbolicLink(target: String)
    }

    /// The path in the store: it is what an app keeps of the item. Empty for the top folder.
    public let identifier: String
    /// What it is.
    public let kind: Kind
    /// In bytes; 0 for a folder.
    public let size: Int64
    /// Seconds since 1970, as the file says or as the entry was stored; nil where neither is known.
    public let modified: Int64?
    /// Tells two contents apart: the identifier of the manifest. Empty for a folder.
    public let contentVersion: String
    /// The device that wrote it; empty where nobody says.
    public let writtenBy: String
    /// The file that this one is the other version of, where its name says that it was kept after a conflict.
    public let conflictWith: String?
    /// Why the item cannot be read; nil for one that can.
    public let problem: String?

    /// The last component of the path.
    public var name: String { identifier.split(separator: "/").last.map(String.init) ?? "" }

    /// The folder that it is in; empty for the top.
    public var parent: String {
        identifier.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// Whether it has items of its own.
    public var isFolder: Bool { kind == .folder }
}

/// Some items of a listing.
public struct ProviderPage: Sendable, Hashable {
    /// In the order of their keys.
    public let items: [ProviderItem]
    /// Where the next page begins; nil where this was the last one.
    public let next: String?
}

/// What happened since an anchor.
public struct ProviderChanges: Sendable, Hashable {
    /// New or with another content.
    public let updated: [ProviderItem]
    /// Identifiers.
    public let deleted: [String]
    /// What the next call is asked with.
    public let anchor: String
    /// Whether there is more already.
    public let hasMore: Bool
}

/// Whether a store is reached, and what this provider did since it was made.
public struct ProviderStatus: Sendable, Hashable {
    /// Whether the store answered a moment ago.
    public let isConnected: Bool
    /// Files that were fetched or stored.
    public let filesSynced: Int
    /// Transfers that are going on.
    public let filesPending: Int
    /// The last failure; nil without one.
    public let lastError: String?
}
