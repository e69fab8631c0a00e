import ValiseChatSchema
package import ValiseCryptoFiles
package import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseMediaRules

/// The media that a chat database, official or ours, of any age, speaks of.
package struct MediaTable {
    private let files: FileTable

    /// - Returns: nil where there is no table of files.
    /// - Throws: `DatabaseError`.
    package init?(_ connection: borrowing Connection) throws {
        guard let files = try FileTable(try ChatSchema(connection), connection) else { return nil }
        self.files = files
    }

    /// Whether keys can be stored: databases from before file encryption have no place for them.
    package var storesKeys: Bool { files.storesKeys }

    // MARK: Rows

    /// Lends all rows that have a path, in the order of their ids.
    ///
    /// - Parameters:
    ///   - connection: to the chat database.
    ///   - ids: only rows of these ids; nil for all.
    ///   - damaged: gets what is wrong with a row that is not as its schema says; the rows behind it follow. By
    ///     default it is thrown.
    ///   - body: is lent each row.
    /// - Throws: `DatabaseError`; whatever `body` and `damaged` throw.
    package func forEach(
        _ connection: borrowing Connection, ids: ClosedRange<Int64>? = nil,
        damaged: (DatabaseError) throws -> Void = { throw $0 }, _ body: (MediaReference) throws -> Void
    ) throws {
        var rows = try files.rows(connection, ids: ids)
        while let row = try rows.nextResult() {
            switch row {
            case .success(let row): try body(MediaReference(row))
            case .failure(let error): try damaged(error)
            }
        }
    }

    /// One row; nil where it is not there or has no path.
    /// - Throws: `DatabaseError`.
    package func reference(
        _ fileID: Int64, _ connection: borrowing Connection
    ) throws -> MediaReference? {
        try files.row(fileID, connection).map { MediaReference($0) }
    }

    /// How many rows have a path.
    /// - Throws: `DatabaseError`.
    package func count(_ connection: borrowing Connection) throws -> Int64 { try files.count(connection) }

    // MARK: Keys

    /// The keys of a row; nil for none.
    /// - Throws: `CryptoFileError` with `invalid` for a broken key; `DatabaseError`; `SecretsError`.
    package func keys(of fileID: Int64, _ connection: borrowing Connection) throws -> CryptoFileArgs? {
        guard storesKeys else { return nil }
        return try keys(of: [fileID], connection).first
    }

    /// The keys of a row; nil where no program could use them.
    /// - Throws: `DatabaseError`; `SecretsError`.
    package func usableKeys(
        of fileID: Int64, _ connection: borrowing Connection
    ) throws -> CryptoFileArgs? {
        do {
            return try keys(of: fileID, connection)
        } catch let error as CryptoFileError where error.code == .invalid {
            // The answer itself: text of 32 characters may have more bytes.
            return nil
        }
    }

    /// The keys of rows that have them, in the order of the rows.
    /// - Throws: as ``keys(of:_:)-(Int64,_)``.
    package func keys(of fileIDs: [Int64], _ connection: borrowing Connection) throws -> [CryptoFileArgs] {
        guard storesKeys, !fileIDs.isEmpty else { return [] }
        let rows = try FileKeyReader(connection)
        return try unsafe CryptoFileArgs.read(capacity: fileIDs.count) { add in
            for fileID in fileIDs { try unsafe rows.withKeys(of: fileID) { try unsafe add($0, $1) } }
        }
    }
}

extension MediaReference {
    init(_ row: FileRow) {
        let chat: MediaChat? =
            row.contactID.value.map { .contact($0) } ?? row.groupID.value.map { .group($0) }
            ?? row.noteFolderID.value.map { .notes($0) }
        let keys: Keys =
            switch row.keys {
            case .none: .none
            case .complete: .complete
            case .broken: .broken
            }
        let time = row.itemTime.value ?? row.createdAt.value
        self.init(
            fileID: row.id, userID: row.userID.value, chat: chat, itemID: row.itemID.value,
            memberID: row.memberID.value, isSent: row.isSent.value, fileName: row.name.value,
            filePath: row.path,
            fileSize: row.size, status: row.status.value, keys: keys, time: time.flatMap { UTCTime($0) },
            kind: row.contentTag.value.flatMap { MediaKind(rawValue: $0) }
                ?? row.name.value.map { MediaKind(fileName: $0) } ?? .file)
    }
}
