import SystemPackage
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValisePages
import ValiseSecrets

/// The first page of a database, looked at before SQLCipher sees it.
///
/// Once its tag is verified, the size of pages is taken from there. Where it is not the one of its settings, SQLCipher 4.6.1 ended a
/// process of the tests by a segmentation fault. Whoever has the key can write such a page.
enum FirstPage {
    /// Where a header has the size of pages, and how many bytes of each are the cipher's.
    private static let (size, reserve) = (16, 20)

    /// - Parameters:
    ///   - source: the database; one that the key does not open is left to who opens it.
    ///   - key: of it.
    /// - Throws: `DatabaseError` with `damaged`; errors of the source; `SecretsError`.
    static func check(_ source: any ByteSource, _ key: SessionDatabaseKey) throws {
        // Of SQLCipher 4: what was made by 3 says so in ways that differ.
        guard !key.settings.contains(SessionDatabaseKey.olderCipher) else { return }
        let settings = key.pageSettings
        var page = try source.bytes(at: 0, upTo: settings.pageSize)
        guard page.count == settings.pageSize else { return }
        let secret = try CipherKey(
            passphrase: key.remembering.bytes, salt: Array(page.prefix(CipherSettings.saltSize)),
            settings: settings)
        let codec = try PageCodec(settings, secret)
        let status = try unsafe page.withUnsafeMutableBytes { try unsafe codec.open($0, first: 1) }
        guard status == [.intact] else { return }
        let found = Int(page[size]) << 8 | Int(page[size + 1]) << 16
        guard found == settings.pageSize, Int(page[reserve]) == settings.reserve else {
            throw DatabaseError(
                .damaged, "the first page claims pages of another size", file: source.path.string,
                resultCode: 11)
        }
    }
}

extension SessionDatabaseKey {
    /// What pages look like by the settings.
    fileprivate var pageSettings: CipherSettings {
        var pages = CipherSettings.format4
        if settings.contains(Self.readableHeader) { pages.plaintextHeaderSize = 32 }
        return pages
    }
}
