package import ValiseMediaRules

/// Which files of items are exported, and how.
package struct MediaChoice: Sendable, Equatable {
    /// Only files of these kinds; empty for all.
    package var kinds: Set<MediaKind> = []
    /// Only files of at most so many bytes; nil for any size.
    package var largest: Int64?
    /// Whether the export refers to files of the account where they are. Those that are encrypted, or within an archive, are
    /// copied all the same: nobody could open them.
    package var links = false

    package init() {}

    /// Whether a file is exported, as far as its item tells.
    func includes(_ file: ItemFile, of item: ConversationItem) -> Bool {
        (kinds.isEmpty || kinds.contains(Self.kind(of: item))) && includes(size: file.size ?? 0)
    }

    /// Whether a file of a size is exported.
    func includes(size: Int64) -> Bool { largest.map { size <= $0 } ?? true }

    /// What the app shows it as, whatever its name is.
    private static func kind(of item: ConversationItem) -> MediaKind {
        switch item.kind {
        case .image: .image
        case .video: .video
        case .voice: .voice
        default: .file
        }
    }
}
