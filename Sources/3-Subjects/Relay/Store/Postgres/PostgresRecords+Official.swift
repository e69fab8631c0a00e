import ValiseFailures
import ValisePostgres

extension PostgresRecords {
    /// Where the official relay has its tables unless its settings say otherwise (XFTP fact sheet, §9.4).
    private static let officialSchema = "xftp_server"

    /// Keeps a relay from starting without its chunks: a file of settings of the official relay may name its database, whose tables
    /// are not ours. Once there are tables of ours, nothing is asked any more.
    ///
    /// - Throws: ``XFTPRelayError``, `unsupported`, where only the official relay's tables are there; ``XFTPStoreError``.
    static func refuseOfficialTables(_ pool: PostgresPool) throws {
        let schemas = [pool.settings.schema, officialSchema]
        let isOfficial = try asked(pool) { connection in
            if try connection.run("SELECT to_regclass('chunks') IS NOT NULL")[0].boolean(0) { return false }
            return try schemas.contains { schema in
                try connection.run(
                    "SELECT to_regclass($1) IS NOT NULL AND to_regclass($2) IS NOT NULL",
                    [.text("\(schema).files"), .text("\(schema).recipients")])[0].boolean(0)
            }
        }
        guard isOfficial else { return }
        throw XFTPRelayError(
            .unsupported, "the database has the tables of an official relay, which have another form",
            subject: pool.settings.address.text, remedy: .exportStoreLog)
    }

    private static func asked<Result>(
        _ pool: PostgresPool, _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        do {
            return try pool.withConnection(body)
        } catch {
            throw failure(error)
        }
    }
}
