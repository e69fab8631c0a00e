import ValiseFiles
import ValisePages

/// The pages of one database as they lie, decrypted where it is encrypted.
///
/// Pages whose HMAC does not hold are not given, unless the caller wants them all the same. In a database
/// without HMACs nothing proves a page: then each is given, and its structure is all there is to judge it by.
final class SalvagePages: PageSource {
    let pageCount: UInt32
    let pageSize: Int
    let usableSize: Int
    /// What the HMACs say; nil where there are none.
    let verification: PageVerification?
    /// Bytes behind the last whole page.
    let trailingBytes: Int
    /// Whether damaged pages are given as well.
    let usesDamaged: Bool

    private let read: (UInt32) throws -> [UInt8]

    /// An encrypted database.
    ///
    /// - Parameter verification: nil where the HMACs cannot hold, since the salt is lost, or do not exist.
    init(_ file: EncryptedDatabaseFile, _ verification: PageVerification?, usesDamaged: Bool) throws {
        let reader = try file.reader()
        pageCount = file.pageCount
        pageSize = file.settings.pageSize
        usableSize = reader.usableSize
        trailingBytes = file.trailingBytes
        self.verification = verification
        self.usesDamaged = usesDamaged
        read = { number in try unsafe reader.withPage(number) { _, bytes in unsafe Array(bytes) } }
    }

    /// A database that is not encrypted.
    init(unencrypted source: any ByteSource, pageSize: Int, reserve: Int) {
        pageCount = UInt32(clamping: source.size / Int64(pageSize))
        self.pageSize = pageSize
        usableSize = pageSize - reserve
        trailingBytes = Int(source.size % Int64(pageSize))
        verification = nil
        usesDamaged = false
        let usable = usableSize
        read = { number in
            try source.bytes(at: Int64(number - 1) * Int64(pageSize), upTo: usable)
        }
    }

    private init(includingDamaged pages: SalvagePages) {
        pageCount = pages.pageCount
        pageSize = pages.pageSize
        usableSize = pages.usableSize
        verification = pages.verification
        trailingBytes = pages.trailingBytes
        usesDamaged = true
        read = pages.read
    }

    /// The same pages, damaged ones as well.
    var includingDamaged: SalvagePages { SalvagePages(includingDamaged: self) }

    /// Whether the HMAC of every page that is given holds.
    var isVerified: Bool { verification != nil && !usesDamaged }

    /// Whether the HMAC of a page does not hold.
    func isDamaged(_ number: UInt32) -> Bool { verification?.damaged.contains(number) ?? false }

    func page(_ number: UInt32) throws -> [UInt8]? {
        guard number >= 1, number <= pageCount, number != lockPage else { return nil }
        guard usesDamaged || !isDamaged(number) else { return nil }
        let bytes = try read(number)
        return bytes.count == usableSize ? bytes : nil
    }
}
