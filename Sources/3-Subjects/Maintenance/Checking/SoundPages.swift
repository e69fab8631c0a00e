import ValisePages

/// The pages of an encrypted database that can be trusted.
final class SoundPages: PageSource {
    let pageCount: UInt32
    let pageSize: Int
    /// The header may reserve more than the cipher needs.
    let usableSize: Int
    /// Nil where the first page is damaged, or says nothing.
    let header: DatabaseHeader?

    private let damaged: PageSet
    private let reader: PageReader

    init(_ file: EncryptedDatabaseFile, damaged: PageSet) throws {
        reader = try file.reader()
        self.damaged = damaged
        pageCount = file.pageCount
        pageSize = file.settings.pageSize
        let header = try unsafe reader.withPage(1) { status, page in
            unsafe status == .intact ? DatabaseHeader(Array(page)) : nil
        }
        usableSize = min(reader.usableSize, pageSize - (header?.reserve ?? 0))
        self.header = header
    }

    /// Whether the HMAC of a page does not hold.
    func isDamaged(_ number: UInt32) -> Bool { damaged.contains(number) }

    func page(_ number: UInt32) throws -> [UInt8]? {
        guard number >= 1, number <= pageCount, !isDamaged(number) else { return nil }
        return try unsafe reader.withPage(number) { status, bytes in
            unsafe status == .intact ? Array(bytes[..<usableSize]) : nil
        }
    }
}
