import Synchronization
package import SystemPackage
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// An encrypted database as SQLite would have it without encryption, to be read with SQL where it lies.
///
/// SQLCipher checks a page's HMAC each time SQLite asks for it, one after the other, and a walk through all
/// indexes asks for most pages several times. Here all were checked before, many at once, and what is left for
/// each page is to decrypt it: less than a tenth of the work. Nothing decrypted is kept here; SQLite keeps pages
/// in its cache.
package final class DecryptedSource: ByteSource {
    private let file: EncryptedDatabaseFile
    private let damaged: PageSet
    /// Whether pages are verified when they are read, instead of before.
    private let verifies: Bool
    /// As many as threads that read at the same time: one that is in use is passed over.
    private let codecs: [Codec]

    /// Whole pages only; in bytes.
    package var size: Int64 { Int64(file.pageCount) * Int64(file.settings.pageSize) }
    package var path: FilePath { file.path }

    /// For one thread at a time.
    private struct Pages: @unchecked Sendable {
        // Unchecked: it is in the mutex alone, and nothing of it leaves that.
        let codec: PageCodec
    }

    private final class Codec: Sendable {
        let pages: Mutex<Pages>

        init(_ codec: PageCodec) { pages = Mutex(Pages(codec: codec)) }
    }

    /// - Parameters:
    ///   - file: its bytes must be those that were verified.
    ///   - verification: of this file. Pages that it calls damaged cannot be read here.
    /// - Returns: nil where SQLite would not find the pages: the header is damaged, or states another size of page.
    /// - Throws: ``PageCipherError``; errors of the source.
    package init?(_ file: EncryptedDatabaseFile, _ verification: PageVerification) throws {
        guard !verification.damaged.contains(1), try Self.isReadable(file) else { return nil }
        self.file = file
        damaged = verification.damaged
        verifies = false
        // For single pages without their HMACs this engine is the fastest.
        codecs = try (0..<ParallelBatches.workers).map { _ in
            Codec(try PageCodec(file.settings, file.key, engine: .libcrypto))
        }
    }

    /// The same for who reads little of a file: each page is verified when it is read.
    /// - Returns: nil where SQLite would not find the pages.
    /// - Throws: ``PageCipherError``; errors of the source.
    package init?(verifying file: EncryptedDatabaseFile) throws {
        guard try Self.isReadable(file) else { return nil }
        self.file = file
        damaged = PageSet()
        verifies = true
        codecs = [Codec(try PageCodec(file.settings, file.key))]
    }

    private static func isReadable(_ file: EncryptedDatabaseFile) throws -> Bool {
        try unsafe file.pageCount > 0
            && file.reader().withPage(1) { _, page in
                unsafe FileHead(Array(page.prefix(100))).pageSize == file.settings.pageSize
            }
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        guard offset >= 0, offset < size else { return 0 }
        let pageSize = Int64(file.settings.pageSize)
        let wanted = Int(min(Int64(buffer.count), size - offset))
        var filled = 0
        while filled < wanted {
            let place = offset + Int64(filled)
            let page = UInt32(place / pageSize + 1)
            let start = Int(place % pageSize)
            let count = min(Int(pageSize) - start, wanted - filled)
            let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
            if count == Int(pageSize) {
                try unsafe decrypt(page, into: target)
            } else {
                try unsafe copyPart(of: page, from: start, to: target)
            }
            filled += count
        }
        return wanted
    }

    private func isDamaged(_ page: UInt32) -> PageCipherError {
        PageCipherError(.damaged, "page \(page) is damaged", file: path.string)
    }

    private func copyPart(of page: UInt32, from start: Int, to target: UnsafeMutableRawBufferPointer) throws {
        let whole = UnsafeMutableRawBufferPointer.allocate(
            byteCount: file.settings.pageSize, alignment: 16)
        defer {
            unsafe SecretMemory.wipe(whole)
            unsafe whole.deallocate()
        }
        try unsafe decrypt(page, into: whole)
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: whole[start..<start + target.count]))
    }

    private func decrypt(_ page: UInt32, into memory: UnsafeMutableRawBufferPointer) throws {
        guard !damaged.contains(page) else {
            throw isDamaged(page)
        }
        try unsafe file.readPages(page..<page + 1, into: memory)
        // A pointer may not be sent into the lock's closure; its address may.
        let address = UInt(bitPattern: memory.baseAddress)
        let count = memory.count
        func open(_ pages: borrowing Pages) throws {
            let start = unsafe UnsafeMutableRawPointer(bitPattern: address)
            let status = try unsafe pages.codec.open(
                UnsafeMutableRawBufferPointer(start: start, count: count), first: page, checks: verifies)
            guard !verifies || status == [.intact] else { throw isDamaged(page) }
        }
        let isDone = try codecs.contains { codec in
            try codec.pages.withLockIfAvailable { try open($0) } != nil
        }
        if !isDone { try codecs[0].pages.withLock { try open($0) } }
        // No log lies beside a source, and SQLite would look for one.
        if page == 1 { for byte in [18, 19] where unsafe memory[byte] == 2 { unsafe memory[byte] = 1 } }
    }
}
