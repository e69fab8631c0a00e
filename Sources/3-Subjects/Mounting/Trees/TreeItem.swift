package import ValiseEncoding

/// A folder, a file or a link of a tree, without its name.
package struct TreeItem: Sendable {
    /// What it is.
    package enum Content: Sendable {
        case folder(any TreeFolder)
        /// - Parameter size: in bytes.
        case file(any TreeContent, size: Int64)
        /// Where it points to; bytes of any kind.
        case link([UInt8])
    }

    package let content: Content
    /// The bits of `chmod` for reading and for running. Nothing has bits for writing, and its owner may always read it.
    package let permissions: UInt32
    /// When the content was last changed; nil where that is not known.
    package let modified: UTCTime?

    /// - Parameters:
    ///   - content: what it is.
    ///   - permissions: as they were recorded; nil for those that let everybody read it.
    ///   - modified: when the content was last changed.
    package init(_ content: Content, permissions: UInt32? = nil, modified: UTCTime? = nil) {
        self.content = content
        self.modified = modified
        let owner: UInt32
        switch content {
        case .folder: owner = 0o500
        case .file: owner = 0o400
        case .link: owner = 0o555
        }
        let isRunnable = if case .folder = content { true } else { false }
        self.permissions = (permissions ?? (isRunnable ? 0o555 : 0o444)) & 0o555 | owner
    }

    /// In bytes; of a link its target's.
    package var size: Int64 {
        switch content {
        case .folder: 0
        case .file(_, let size): size
        case .link(let target): Int64(target.count)
        }
    }

    /// The folder; nil for all else.
    package var folder: (any TreeFolder)? {
        if case .folder(let folder) = content { folder } else { nil }
    }

    /// Kind and permissions as in `st_mode`.
    package var mode: UInt32 {
        switch content {
        case .folder: 0o040000 | permissions
        case .file: 0o100000 | permissions
        case .link: 0o120000 | 0o777
        }
    }
}
