import SystemPackage
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValisePages
import ValiseSecrets

/// The first page of a database, looked at before SQLCipher sees it: in the database, in its log and in its journal.
///
/// Once its tag is verified, the size of pages is taken from there. Where it is not the one of its settings, SQLCipher 4.6.1 ended a
/// process of the tests by a segmentation fault. Whoever has the key can write such a page.
struct FirstPage {
    private let settings: CipherSettings
    /// Of the database, for errors.
    private let file: String
    /// One for each salt: SQLCipher takes that of the page which a journal puts back.
    private let codecs: [PageCodec]

    /// Where a header has the size of pages, and how many bytes of each are the cipher's.
    private static let (size, reserve) = (16, 20)
    /// All pages of a database have one salt. More than a few would only take time.
    private static let mostSalts = 4

    /// A page that the key does not open is left to who opens the database.
    /// - Parameters:
    ///   - source: the database.
    ///   - log: its write-ahead log.
    ///   - journal: its rollback journal.
    ///   - key: of it.
    /// - Throws: `DatabaseError` with `damaged`; errors of the sources; `SecretsError`.
    static func check(
        _ source: any ByteSource, log: (any ByteSource)? = nil, journal: (any ByteSource)? = nil,
        _ key: SessionDatabaseKey
    ) throws {
        let (settings, file) = (key.pageSettings, source.path.string)
        let page = try source.bytes(at: 0, upTo: settings.pageSize)
        // What has no passphrase has no tags.
        guard page.count == settings.pageSize || log != nil || journal != nil,
            !key.remembering.bytes.isEmpty
        else { return }
        let logged = log.map { LoggedPages($0, pageSize: settings.pageSize, file: file) }
        let kept = journal.map { JournalPages($0, pageSize: settings.pageSize, file: file) }
        var salts: Set<[UInt8]> = [salt(of: page)]
        try kept?.forEachFirst { page in
            salts.insert(salt(of: page))
            guard salts.count <= mostSalts else { throw damage("the journal is of several databases", file) }
        }
        let first = try FirstPage(key, settings, salts, file)
        try first.check(page, in: "")
        try logged?.forEachFirst { try first.check($0, in: " in the write-ahead log") }
        try kept?.forEachFirst { try first.check($0, in: " in the journal") }
    }

    private init(
        _ key: SessionDatabaseKey, _ settings: CipherSettings, _ salts: Set<[UInt8]>, _ file: String
    ) throws {
        (self.settings, self.file) = (settings, file)
        codecs = try salts.map { salt in
            try PageCodec(
                settings,
                CipherKey(passphrase: key.remembering.bytes, salt: salt, settings: settings))
        }
    }

    private func check(_ page: [UInt8], in place: String) throws {
        guard page.count == settings.pageSize else { return }
        for codec in codecs {
            var page = page
            let status = try unsafe page.withUnsafeMutableBytes { try unsafe codec.open($0, first: 1) }
            guard status == [.intact] else { continue }
            let found = Int(page[Self.size]) << 8 | Int(page[Self.size + 1]) << 16
            // SQLCipher 4 writes its own number into what it makes with the settings of 3.
            let reserves = [settings.reserve, CipherSettings.format4.reserve]
            guard found == settings.pageSize, reserves.contains(Int(page[Self.reserve])) else {
                throw Self.damage("the size of pages in the first page\(place) is another one", file)
            }
        }
    }

    /// An empty database has none of its own.
    private static func salt(of page: [UInt8]) -> [UInt8] {
        let salt = Array(page.prefix(CipherSettings.saltSize))
        return salt + [UInt8](repeating: 0, count: CipherSettings.saltSize - salt.count)
    }

    /// What SQLite would call a database that is malformed.
    static func damage(_ message: String, _ file: String) -> DatabaseError {
        DatabaseError(.damaged, message, file: file, resultCode: 11)
    }
}
