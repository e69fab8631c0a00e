import ValiseFailures
import ValisePostgres

extension PostgresRecords {
    /// Where the official relay has its tables unless its settings say otherwise (XFTP fact sheet, §9.4).
    private static let officialSchema = "xftp_server"

    /// Keeps a relay from starting without its chunks: a file of settings of the official relay may name its database, whose tables
    /// are not ours. Once there are tables of ours, nothing is asked any more.
    ///
    /// - Throws: ``XFTPRelayError``, `unsupported`, where only the official relay's tables are there; ``PostgresError``.
    static func refuseOfficialTables(_ connection: PostgresConnection, _ settings: PostgresSettings) throws {
        if try connection.run("SELECT to_regclass('chunks') IS NOT NULL")[0].boolean(0) { return }
        for schema in [settings.schema, officialSchema] {
            let isOfficial = try connection.run(
                "SELECT to_regclass($1) IS NOT NULL AND to_regclass($2) IS NOT NULL",
                [.text("\(schema).files"), .text("\(schema).recipients")])[0].boolean(0)
            guard isOfficial else { continue }
            throw XFTPRelayError(
                .unsupported, "the database has the tables of an official relay, which have another form",
                subject: settings.address.text, remedy: .exportStoreLog)
        }
    }
}
