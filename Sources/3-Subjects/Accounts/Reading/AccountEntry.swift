package import ValiseArchives

/// What an entry is to an account.
package enum EntryRole: String, Sendable, Codable, CaseIterable {
    case database
    case media
    case wallpaper
    /// No part of an account.
    case other

    init(name: String) {
        self =
            switch ArchiveLayout.role(of: name) {
            case .database: .database
            case .file: .media
            case .wallpaper: .wallpaper
            case .other: .other
            }
    }
}

/// One file of an account, under the name that an archive has for it.
package struct AccountEntry: Sendable {
    /// As in an archive, whatever the prefix of an account is.
    package let name: String
    package let role: EntryRole
    /// In bytes.
    package let size: Int64
    /// Nil for a file of a folder.
    package let packed: ZipEntry?

    init(_ name: String, size: Int64, packed: ZipEntry? = nil) {
        self.name = name
        role = EntryRole(name: name)
        self.size = size
        self.packed = packed
    }

    /// The order of all lists: by bytes, since two names may differ although Unicode calls them equivalent.
    package static func precedes(_ left: AccountEntry, _ right: AccountEntry) -> Bool {
        left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}
