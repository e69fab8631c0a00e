import ValiseContentStore
import ValiseEncoding
import ValiseFailures

/// What a store has under a path, as far as somebody asked.
package struct StoreEntry: Sendable, Encodable, Equatable {
    /// What it is.
    package enum Kind: String, Sendable, Encodable {
        /// A file or a symbolic link, or a file that was deleted: only its entry tells.
        case entry
        case file
        case symlink
        case folder
        /// A file that was deleted, of which a tombstone is left.
        case deleted
        /// A file whose first upload did not come to its end.
        case unfinished
        /// A key that is no path.
        case unusable
    }

    package let path: String
    package internal(set) var kind: Kind
    /// In bytes.
    package internal(set) var size: Int64?
    /// When the file was changed last, in UTC, or where nobody recorded that when it was uploaded.
    package internal(set) var modified: String?
    /// The device that wrote it.
    package internal(set) var device: String?
    package internal(set) var isEncrypted: Bool?
    package internal(set) var chunks: Int?
    /// The BLAKE3 of its content, 64 hexadecimal digits.
    package internal(set) var digest: String?
    /// Where a symbolic link points to.
    package internal(set) var target: String?
    /// Why it cannot be read.
    package internal(set) var problem: String?

    init(_ path: String, _ kind: Kind) {
        self.path = path
        self.kind = kind
    }

    init(_ listed: ListedPath) {
        switch listed {
        case .folder(let path): self.init(path.text, .folder)
        case .entry(let path): self.init(path.text, .entry)
        case .unusable(let key): self.init(key, .unusable)
        }
    }

    init(_ path: StorePath, _ content: PathContent) {
        self.init(path.text, .file)
        switch content {
        case .nothing, .unfinished: kind = .unfinished
        case .deleted: kind = .deleted
        case .item(let item): take(item)
        }
    }

    /// An entry that cannot be read.
    init(_ path: StorePath, _ failure: any Failure) {
        self.init(path.text, .entry)
        problem = failure.message
    }

    private mutating func take(_ item: StoredItem) {
        device = item.content.device.isEmpty ? nil : item.content.device
        switch item.content {
        case .file(let file):
            (size, chunks, digest) = (file.size, file.chunks.count, file.content.text)
            isEncrypted = file.isEncrypted
            modified = UTCTime(seconds: file.modified?.seconds ?? Int64(clamping: file.written)).isoText
        case .link(let link):
            (kind, target) = (.symlink, link.target)
            modified = UTCTime(seconds: Int64(clamping: link.written)).isoText
        }
    }
}
