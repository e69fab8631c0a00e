import ValiseAccounts
import ValiseArchives
import ValiseCryptoFiles
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// How the files of an archive are read.
struct ArchiveContent: Sendable {
    let archive: ArchiveStorage
    let keys: LockedMediaKeys?
    let sources = OpenSources<any VerifiedSource>()

    init(_ archive: ArchiveStorage, _ keys: LockedMediaKeys?) {
        self.archive = archive
        self.keys = keys
    }

    /// Whether an entry is shown decrypted.
    func isDecrypted(_ entry: ZipEntry) -> Bool { mediaName(of: entry) != nil }

    /// The name in the media folder of what is shown decrypted; nil for all else.
    func mediaName(of entry: ZipEntry) -> String? {
        guard let keys, !entry.isFolder, entry.size >= CryptoFileCipher.overhead,
            case .file(let name) = ArchiveLayout.role(of: entry.name), keys.has(name)
        else { return nil }
        return name
    }

    /// - Returns: nil for a folder.
    func item(of entry: ZipEntry) -> TreeItem? {
        guard !entry.isFolder else { return nil }
        let overhead = isDecrypted(entry) ? CryptoFileCipher.overhead : 0
        return TreeItem(
            .file(ArchivedContent(content: self, entry: entry), size: entry.size - overhead),
            permissions: 0o400, modified: entry.modified.map { UTCTime(seconds: $0.seconds) })
    }

    /// What an entry is read by. It is made where it is not open any more.
    func source(of entry: ZipEntry) throws -> any VerifiedSource {
        try sources.source(Array(entry.name.utf8), cost: entry.method == .stored ? 1 << 16 : entry.size) {
            let source = try archive.source(of: entry)
            guard let name = mediaName(of: entry), let keys else {
                return CheckedEntry(entry, source, in: archive)
            }
            return DecryptedEntry(source, try keys.keys(of: name))
        }
    }
}

/// A file of an archive.
private struct ArchivedContent: TreeContent {
    let content: ArchiveContent
    let entry: ZipEntry

    /// - Throws: `ZipError`; `CryptoFileError`; `FileError`; `DatabaseError`; `SecretsError`; whatever `checkpoint` throws.
    func open(checkpoint: () throws -> Void) throws -> any TreeFile {
        let source = try content.source(of: entry)
        try source.verify(checkpoint: checkpoint)
        return ArchivedFile(content, entry, size: source.size)
    }
}

/// An open file of an archive. It does not hold what it is read by, of which there are a few at a time only.
private final class ArchivedFile: TreeFile {
    let size: Int64
    private let content: ArchiveContent
    private let entry: ZipEntry

    init(_ content: ArchiveContent, _ entry: ZipEntry, size: Int64) {
        self.content = content
        self.entry = entry
        self.size = size
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, checkpoint: () throws -> Void
    ) throws -> Int {
        guard offset >= 0, offset < size else { return 0 }
        let source = try content.source(of: entry)
        // One that was opened anew is verified anew.
        try source.verify(checkpoint: checkpoint)
        return try unsafe source.read(into: buffer, at: offset)
    }
}
