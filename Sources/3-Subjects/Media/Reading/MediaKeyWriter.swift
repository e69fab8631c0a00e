import ValiseChatSchema
package import ValiseCryptoFiles
package import ValiseDatabase

/// Writes keys into rows of the table `files`, or takes them away.
package final class MediaKeyWriter {
    private let writer: FileKeyWriter

    /// - Throws: `DatabaseError` where the table has no columns for keys.
    package init(_ connection: borrowing Connection) throws { writer = try FileKeyWriter(connection) }

    /// - Parameters:
    ///   - keys: nil to take them away.
    ///   - fileID: of its row.
    /// - Throws: `DatabaseError`.
    package func set(_ keys: CryptoFileArgs?, of fileID: Int64) throws {
        guard let keys else { return try writer.clear(fileID) }
        try unsafe keys.withBytes { key, nonce in try unsafe writer.set(key, nonce, of: fileID) }
    }
}
