import SystemPackage
package import ValiseAccounts
package import ValiseFiles
import ValisePages

/// What can be told of a database's encryption without its passphrase.
package struct EncryptionInfo: Sendable, Codable, Equatable {
    package let database: AccountDatabase
    package let file: String
    package let form: DatabaseFile.Form
    /// In bytes.
    package let size: Int64
    /// The salt in hexadecimal: files with the same salt and passphrase have the same key. It is no secret.
    package let salt: String?
    /// Whether the bytes look like what a cipher makes; nil where the file is unencrypted, empty or missing.
    package let looksEncrypted: Bool?
    /// How many pages of today's format there would be; nil where the size does not fit.
    package let pages: Int64?
    /// The page size that an unencrypted header states, in bytes.
    package let unencryptedPageSize: Int?
    /// In bytes; nil where nothing waits beside the file.
    package let journal: Int64?
    /// In bytes.
    package let writeAheadLog: Int64?
    /// Copies of the official programs, which open with the passphrase of then.
    package let copies: [String]

    private enum CodingKeys: String, CodingKey {
        case database, file, form, size, salt, looksEncrypted, pages, journal, writeAheadLog, copies
        case unencryptedPageSize = "plainPageSize"
    }

    /// Looks at both databases.
    /// - Throws: `FileError`.
    package static func all(
        _ location: AccountLocation, fileSystem: FileSystem = FileSystem()
    ) throws -> [EncryptionInfo] {
        let account = AccountReader(asItIs: location, fileSystem: fileSystem)
        return try AccountDatabase.allCases.compactMap { try EncryptionInfo($0, account) }
    }

    private init?(_ database: AccountDatabase, _ account: AccountReader) throws {
        guard let file = try account.fileToRead(of: database) else { return nil }
        self.database = database
        self.file = file.path.string
        form = file.form
        size = file.size
        journal = file.journalSize
        writeAheadLog = file.walSize
        copies = file.copies
        let outline =
            [.encrypted, .unknown, .unencrypted].contains(file.form)
            ? try FileOutline(account.unfolded(database)) : nil
        salt = outline?.salt
        looksEncrypted = outline?.looksEncrypted
        unencryptedPageSize = outline?.unencryptedPageSize
        let pageSize = Int64(CipherSettings.format4.pageSize)
        pages = file.form == .encrypted && file.size % pageSize == 0 ? file.size / pageSize : nil
    }
}
