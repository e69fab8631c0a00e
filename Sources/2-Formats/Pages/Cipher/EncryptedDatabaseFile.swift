package import SystemPackage
import ValiseConcurrency
import ValiseFailures
package import ValiseFiles
import ValiseSecrets

/// An encrypted database file and the keys that open its pages. It is only read.
///
/// It is looked at as it lies: fold a journal or a write-ahead log in on a private copy first.
package final class EncryptedDatabaseFile: Sendable {
    let source: any ByteSource
    package let settings: CipherSettings
    package let key: CipherKey

    /// How many whole pages there are.
    package let pageCount: UInt32
    /// Bytes behind the last whole page: more than none means that the file was cut off.
    package let trailingBytes: Int

    /// The file's name for errors.
    package var path: FilePath { source.path }

    /// SQLite's limit.
    private static let mostPages: Int64 = 4_294_967_294

    /// - Throws: ``PageCipherError`` for settings that do not exist, or a file too large for them.
    package init(_ source: any ByteSource, settings: CipherSettings, key: CipherKey) throws(PageCipherError) {
        guard settings.isValid else {
            throw PageCipherError(.invalid, "unsupported SQLCipher settings")
        }
        let pages = source.size / Int64(settings.pageSize)
        guard pages <= Self.mostPages, let count = UInt32(exactly: pages) else {
            throw PageCipherError(
                .damaged, "the file is too large for a database", file: source.path.string)
        }
        self.source = source
        self.settings = settings
        self.key = key
        pageCount = count
        trailingBytes = Int(source.size % Int64(settings.pageSize))
    }

    /// The first bytes of the file, which are the salt unless the header is unencrypted.
    /// - Throws: ``PageCipherError`` with `damaged` when it is too short; errors of the source.
    package static func salt(of source: any ByteSource) throws -> [UInt8] {
        let salt = try source.bytes(at: 0, upTo: CipherSettings.saltSize)
        guard salt.count == CipherSettings.saltSize else {
            throw PageCipherError(
                .damaged, "the file is too short for an encrypted database", file: source.path.string)
        }
        return salt
    }

    /// Where a page begins in the file, in bytes.
    package func offset(of page: UInt32) -> Int64 { (Int64(page) - 1) * Int64(settings.pageSize) }

    /// Reads single pages in any order, for one thread.
    /// - Throws: ``PageCipherError``.
    package func reader() throws -> PageReader { try PageReader(self) }

    /// Whether the header asks for a write-ahead log.
    /// - Throws: ``PageCipherError``; errors of the source.
    package func asksForLog() throws -> Bool {
        try unsafe reader().withPage(1) { _, page in unsafe FileHead(Array(page.prefix(100))).asksForLog }
    }

    /// The batches that all work on whole files is done in.
    var batches: PageBatches { PageBatches(pageCount: pageCount, pageSize: settings.pageSize) }

    /// Reads whole pages as they lie. A source that became shorter is an error, not an end.
    func readPages(_ range: Range<UInt32>, into memory: UnsafeMutableRawBufferPointer) throws {
        let wanted = range.count * settings.pageSize
        let buffer = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<wanted])
        guard try unsafe source.read(into: buffer, at: offset(of: range.lowerBound)) == wanted else {
            throw PageCipherError(.damaged, "the file shrank while being read", file: path.string)
        }
    }
}

/// Cuts a file into runs of pages, each of them a large page of memory.
struct PageBatches: Sendable {
    let pageCount: UInt32
    let pagesInBatch: UInt32

    static let batchSize = TransferBuffer.pageSize

    init(pageCount: UInt32, pageSize: Int) {
        self.pageCount = pageCount
        pagesInBatch = UInt32(Self.batchSize / pageSize)
    }

    var count: Int { Int((UInt64(pageCount) + UInt64(pagesInBatch) - 1) / UInt64(pagesInBatch)) }

    /// The page numbers of a batch.
    func pages(_ batch: Int) -> Range<UInt32> {
        let first = UInt32(batch) * pagesInBatch + 1
        return first..<(pageCount - first < pagesInBatch ? pageCount + 1 : first + pagesInBatch)
    }

    /// How many pages the first `count` batches have.
    func pages(in count: Int) -> Int64 { min(Int64(count) * Int64(pagesInBatch), Int64(pageCount)) }
}

/// Memory for a batch of pages, and a codec: what one worker needs.
final class PageWorker {
    private let buffer = TransferBuffer(byteCount: PageBatches.batchSize)
    let codec: PageCodec

    var memory: UnsafeMutableRawBufferPointer { unsafe buffer.bytes }

    convenience init(_ file: EncryptedDatabaseFile, engine: PageEngineKind?) throws {
        try self.init(file.settings, file.key, engine: engine)
    }

    init(_ settings: CipherSettings, _ key: CipherKey, engine: PageEngineKind?) throws {
        codec = try PageCodec(settings, key, engine: engine)
    }

    // It held plaintext.
    deinit { unsafe SecretMemory.wipe(memory) }
}
