package import ValiseAccounts
import ValiseArchives
package import ValiseCryptoFiles
package import ValiseDatabase
import ValiseFailures
import ValiseMedia

/// The keys that an archive's own chat database has for its media.
package final class ArchivedMediaKeys {
    private let connection: Connection
    private let table: MediaTable
    /// The rows that have a key, by the name of the file.
    private let rows: [NameDigest: [Int64]]

    /// Several messages may have one file; more than this are no account's.
    private static let mostRows = 16

    /// - Parameters:
    ///   - connection: to the chat database in the archive.
    ///   - checkpoint: called for each row; throw to stop.
    /// - Throws: ``AccountArchiveError`` with `unsupported`; ``DatabaseError``; whatever `checkpoint` throws.
    package init(
        _ reader: AccountReader, _ connection: consuming Connection, checkpoint: () throws -> Void
    ) throws {
        guard let table = try MediaTable(connection) else {
            throw AccountArchiveError(
                .unsupported,
                "the archived chat database has no files table, so there are no media keys",
                subject: AccountDatabase.chat.archiveName, remedy: .extractWithoutDecrypting)
        }
        let media = try reader.media
        var rows: [NameDigest: [Int64]] = [:]
        // The files of damaged rows are counted as those without a key.
        try table.forEach(connection, damaged: { _ in }) { reference in
            try checkpoint()
            guard reference.keys != .none, case .file(let name, _) = try media.find(reference.filePath) else {
                return
            }
            let digest = NameDigest(name)
            guard rows[digest, default: []].count < Self.mostRows else { return }
            rows[digest, default: []].append(reference.fileID)
        }
        self.rows = rows
        self.table = table
        self.connection = connection
    }

    /// Whether a file is encrypted, as the database says.
    /// - Parameter name: in the media folder.
    package func has(_ name: String) -> Bool { rows[NameDigest(name)] != nil }

    /// Lends the keys of a file one after the other, until the body says that one fits.
    ///
    /// Each is read when it is its turn: guarded memory is scarce.
    ///
    /// - Returns: whether there was one that could be tried.
    /// - Throws: ``DatabaseError``; `SecretsError`; whatever `body` throws.
    func tryEach(_ name: String, _ body: (CryptoFileArgs) throws -> Bool) throws -> Bool {
        var wasThere = false
        for row in rows[NameDigest(name)] ?? [] {
            guard let keys = try table.usableKeys(of: row, connection) else { continue }
            wasThere = true
            if try body(keys) { break }
        }
        return wasThere
    }

    /// The keys of a file: several where messages with different keys have it, one of which fits.
    /// - Parameter name: in the media folder.
    /// - Throws: ``DatabaseError``; `SecretsError`.
    package func keys(of name: String) throws -> [CryptoFileArgs] {
        var keys: [CryptoFileArgs] = []
        _ = try tryEach(name) {
            keys.append($0)
            return false
        }
        return keys
    }
}
