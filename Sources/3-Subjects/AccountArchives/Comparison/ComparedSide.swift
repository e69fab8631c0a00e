import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// One account under comparison: its entries under the names of an archive.
final class ComparedSide {
    let reader: AccountReader
    /// In the order of their names.
    let entries: [AccountEntry]
    /// The media as messages name them.
    let store: any MediaStore & Sendable
    /// Files that no archive could hold: links, and names that are no text.
    let leftOut: BoundedList<String>
    /// Databases that were read with a journal folded in, on a copy.
    let folded: [AccountDatabase]

    /// - Throws: ``ComparisonError`` with `wrongPassphrase`; as the reader does; whatever `progress` throws.
    init(
        _ reader: AccountReader, passphrase: borrowing SecretBytes?, progress: ProgressHandler
    ) throws {
        self.reader = reader
        folded = try Self.fold(reader, passphrase, progress)
        let found = try reader.entries()
        entries = found.entries.sorted(by: AccountEntry.precedes)
        store = try reader.media
        var leftOut = BoundedList<String>()
        found.leftOut.forEach { leftOut.add($0) }
        self.leftOut = leftOut
    }

    /// Reads what a crashed program left beside the databases.
    private static func fold(
        _ reader: AccountReader, _ passphrase: borrowing SecretBytes?, _ progress: ProgressHandler
    ) throws -> [AccountDatabase] {
        var folded: [AccountDatabase] = []
        for database in AccountDatabase.allCases {
            guard let stored = try reader.find(database), stored.needsFolding else { continue }
            let key: SecretBytes? =
                try stored.form == .unencrypted ? SecretBytes.empty() : passphrase.duplicate()
            guard key != nil else {
                throw ComparisonError(
                    .wrongPassphrase,
                    "a crash left a journal beside this database; reading it requires the passphrase",
                    subject: stored.path.string)
            }
            _ = try reader.source(of: database, passphrase: key, progress: progress)
            folded.append(database)
        }
        return folded
    }

    /// Unpacks the databases of an archive: equal checksums in two directories say nothing of what lies there.
    ///
    /// - Throws: ``ComparisonError``: `damaged`; ``FileError``; whatever `progress` throws.
    func checkDatabases(_ progress: ProgressHandler) throws {
        let damage = try reader.checkContents(only: { $0.role == .database }) { done in
            try progress(OperationProgress("checking the databases of the archive", completed: done))
        }
        guard let (name, error) = damage.first else { return }
        throw ComparisonError(
            .damaged, "the archived database is damaged, so nothing was compared",
            subject: reader.path.appending(name).string, cause: error)
    }

    /// The entry of a database; nil where it is missing.
    func entry(of database: AccountDatabase) -> AccountEntry? {
        entries.first { $0.role == .database && $0.name == database.archiveName }
    }

    /// Whether a database begins otherwise than an unencrypted one.
    func isEncrypted(_ entry: AccountEntry) throws -> Bool {
        let header = DatabaseFile.unencryptedHeader
        return try reader.source(of: entry).bytes(at: 0, upTo: header.count) != header
    }

    /// In bytes, unpacked.
    var size: Int64 { entries.reduce(0) { $0.addingReportingOverflow($1.size).partialValue } }
}
