import SystemPackage
import ValiseFailures
import ValiseSecrets

/// Reads and decrypts single pages of a file in any order. For one thread.
@safe package final class PageReader {
    private let file: EncryptedDatabaseFile
    private let codec: PageCodec
    private let memory: UnsafeMutableRawBufferPointer

    init(_ file: EncryptedDatabaseFile) throws {
        self.file = file
        codec = try PageCodec(file.settings, file.key)
        unsafe memory = .allocate(byteCount: file.settings.pageSize, alignment: 4096)
    }

    deinit {
        unsafe SecretMemory.wipe(memory)
        unsafe memory.deallocate()
    }

    /// How many bytes of a page are SQLite's.
    package var usableSize: Int { file.settings.pageSize - file.settings.reserve }

    /// Lends a page's decrypted content, SQLite's own header in the first page included.
    ///
    /// A damaged page is decrypted too: most of it may be what it was, and nothing of it is certain.
    ///
    /// - Parameters:
    ///   - number: from 1 to the file's page count.
    ///   - body: gets the state of the page and its decrypted bytes.
    /// - Throws: ``PageCipherError``; errors of the source; whatever `body` throws.
    package func withPage<Result>(
        _ number: UInt32, _ body: (PageStatus, UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        guard number >= 1, number <= file.pageCount else {
            throw PageCipherError(.damaged, "no page \(number) in the file", file: file.path.string)
        }
        try unsafe file.readPages(number..<number + 1, into: memory)
        let status = try unsafe codec.open(memory, first: number)[0]
        return try unsafe body(status, UnsafeRawBufferPointer(rebasing: memory[..<usableSize]))
    }
}
