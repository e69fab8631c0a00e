/// A file, a symbolic link or a folder, as an app shows it.
package struct ProviderItem: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case file
        case folder
        case symbolicLink(target: String)
    }

    /// The path in the store: it is what an app keeps of the item. Empty for the top folder.
    package let identifier: String
    package let kind: Kind
    /// In bytes; 0 for a folder.
    package let size: Int64
    /// Seconds since 1970, as the file says or as the entry was stored; nil where neither is known.
    package let modified: Int64?
    /// Tells two contents apart: the identifier of the manifest. Empty for a folder.
    package let contentVersion: String
    /// The device that wrote it; empty where nobody says.
    package let writtenBy: String
    /// The file that this one is the other version of, where its name says that it was kept after a conflict.
    package let conflictWith: String?
    /// Why the item cannot be read; nil for one that can.
    package let problem: String?

    /// The last component of the path.
    package var name: String { identifier.split(separator: "/").last.map(String.init) ?? "" }

    /// The folder that it is in; empty for the top.
    package var parent: String {
        identifier.split(separator: "/").dropLast().joined(separator: "/")
    }

    package var isFolder: Bool { kind == .folder }
}

/// Some items of a listing.
package struct ProviderPage: Sendable, Hashable {
    package let items: [ProviderItem]
    /// Where the next page begins; nil where this was the last one.
    package let next: String?
}

/// What happened since an anchor.
package struct ProviderChanges: Sendable, Hashable {
    /// New or with another content.
    package let updated: [ProviderItem]
    /// Identifiers.
    package let deleted: [String]
    /// What the next call is asked with.
    package let anchor: String
    /// Whether there is more already.
    package let hasMore: Bool
}

/// Whether a store is reached, and what this provider did since it was made.
package struct ProviderStatus: Sendable, Hashable {
    package let isConnected: Bool
    /// Files that were fetched or stored.
    package let filesSynced: Int
    /// Transfers that are going on.
    package let filesPending: Int
    /// The last failure; nil without one.
    package let lastError: String?
}
