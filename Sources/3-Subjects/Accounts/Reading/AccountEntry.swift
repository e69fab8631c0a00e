package import ValiseArchives
package import ValiseEncoding
package import ValiseFiles

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
    /// Nil for what is in no archive.
    package let packed: ZipEntry?
    /// What the system says of a file of a folder; nil for the databases, and where there is no such file.
    package let attributes: FileAttributes?
    /// When its content was last changed; nil where that is not known.
    package let modified: UTCTime?
    /// Two files with the same one have the same content; nil where none is known without reading.
    package let fingerprint: [UInt8]?

    /// A file of an archive, or of whatever is read as one.
    package init(
        _ name: String, size: Int64, packed: ZipEntry? = nil, modified: UTCTime? = nil,
        fingerprint: [UInt8]? = nil
    ) {
        self.fingerprint = fingerprint
        self.name = name
        role = EntryRole(name: name)
        self.size = size
        self.packed = packed
        attributes = nil
        self.modified = modified ?? packed?.modified.map { UTCTime(seconds: $0.seconds) }
    }

    /// A file of a folder.
    /// - Parameter copied: the size of the copy that is read in its place, in bytes; nil where the file is read.
    package init(_ name: String, _ attributes: FileAttributes, size copied: Int64? = nil) {
        self.name = name
        role = EntryRole(name: name)
        size = copied ?? attributes.size
        packed = nil
        fingerprint = nil
        self.attributes = attributes
        modified = UTCTime(
            seconds: attributes.modificationTime, nanoseconds: Int(attributes.modificationNanoseconds))
    }

    /// The order of all lists: by bytes, since two names may differ although Unicode calls them equivalent.
    package static func precedes(_ left: AccountEntry, _ right: AccountEntry) -> Bool {
        left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}
