import ValiseDatabase

/// The table of libsession's dumps, which both programs have.
struct ConfigDumps {
    let tables: SessionTables
    /// The column of the time, where there is one.
    let timestamp: String?

    private static let table = "configDump"

    func forEach(
        _ connection: borrowing Connection,
        _ body: (SessionConfigDump, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard tables.has(Self.table) else { return }
        let time = timestamp.flatMap { tables.has($0, in: Self.table) ? $0.quoted : nil } ?? "NULL"
        let rows = try connection.prepare(
            "SELECT variant, publicKey, \(time), data FROM configDump ORDER BY variant, publicKey")
        while try rows.step() {
            guard let variant = String(rows.value(0)), let owner = String(rows.value(1)) else {
                throw SessionStoreError(.damaged, "a configuration dump has no name or no owner", tables.file)
            }
            let dump = SessionConfigDump(variant: variant, owner: owner, timestamp: rows.value(2).integer)
            try unsafe rows.withBytes(3) { try unsafe body(dump, $0) }
        }
    }
}
