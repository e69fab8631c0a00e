public import ValiseCryptoFiles
public import ValiseDatabase

/// Writes keys into rows of the table `files`, or takes them away.
public final class MediaKeyWriter {
    private let statement: Statement

    /// - Throws: ``DatabaseError`` where the table has no columns for keys.
    public init(_ connection: borrowing Connection) throws {
        statement = try connection.prepare(
            """
            UPDATE files SET file_crypto_key = ?, file_crypto_nonce = ?,
                updated_at = strftime('%Y-%m-%d %H:%M:%f', 'now') WHERE file_id = ?
            """)
    }

    /// - Parameter keys: nil to take them away.
    /// - Throws: ``DatabaseError``.
    public func set(_ keys: CryptoFileArgs?, of fileID: Int64) throws {
        try statement.bind([.null, .null, .integer(fileID)])
        guard let keys else {
            _ = try statement.step()
            return
        }
        try keys.withBytes { key, nonce in
            try statement.bind(lending: key, at: 0)
            try statement.bind(lending: nonce, at: 1)
            _ = try statement.step()
            statement.reset()
        }
    }
}
