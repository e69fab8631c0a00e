/// The name of a file of a repository. Each is written once, under the SHA-256 of its content, and never changed.
///
/// Source: the repository format of restic, sections "Layout" and "Storage back ends" of the fact sheet.
package enum StoredName: Hashable, Sendable {
    /// The one file without a hash for a name.
    case config
    /// A file of a folder.
    case file(StoredKind, ContentID)
}

/// The folders of a repository; the raw value is the name of the folder.
package enum StoredKind: String, CaseIterable, Sendable {
    /// Key files: JSON that a password opens.
    case keys
    /// Packs of blobs.
    case data
    /// Where blobs are in packs.
    case index
    case snapshots
    case locks
}

extension StoredName: CustomStringConvertible {
    /// The path within a repository, as errors name it: `config`, `data/0a/0a1b…`.
    package var description: String {
        switch self {
        case .config: "config"
        case .file(.data, let id): "data/\(id.text.prefix(2))/\(id.text)"
        case .file(let kind, let id): "\(kind.rawValue)/\(id.text)"
        }
    }
}
