import PageCipher

/// Reads pages of SQLite's trees that can be trusted.
struct TreeReader {
    private let file: EncryptedDatabaseFile
    private let damaged: PageSet
    private let reader: PageReader
    /// How many bytes of a page are SQLite's. Its header may reserve more than the cipher needs.
    let usableSize: Int

    init(_ file: EncryptedDatabaseFile, damaged: PageSet) throws {
        self.file = file
        self.damaged = damaged
        reader = try file.reader()
        let most = reader.usableSize
        usableSize = try reader.withPage(1) { status, page in
            let stated = file.settings.pageSize - Int(page[20])
            return status == .intact && stated >= 480 ? min(most, stated) : most
        }
    }

    /// - Returns: nil for a page that is damaged or none of the file's.
    func withSoundPage<Result>(
        _ page: UInt32, _ body: (UnsafeRawBufferPointer) -> Result
    ) throws -> Result? {
        guard page >= 1, page <= file.pageCount, !damaged.contains(page) else { return nil }
        return try reader.withPage(page) { status, bytes in
            status == .intact ? body(UnsafeRawBufferPointer(rebasing: bytes[..<usableSize])) : nil
        }
    }
}
