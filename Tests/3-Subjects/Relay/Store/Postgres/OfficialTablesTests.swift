import TestPeers
import Testing
import ValiseFailures
import ValisePostgres

@testable import ValiseRelay

/// The database of an official relay, which our settings may name.
@Suite(.enabled(if: PostgresServer.isAvailable))
struct OfficialTablesTests {
    @Test func `a relay does not begin beside the tables of an official one`() throws {
        let schema = try PostgresSchemaUnderTest()
        let pool = PostgresPool(schema.settings, PostgresPool.Limits(connections: 1))
        defer { pool.close() }
        let name = schema.settings.schema
        try pool.withConnection { try PostgresRecords.refuseOfficialTables($0, pool.settings) }
        try pool.withConnection {
            try $0.runScript(
                "CREATE SCHEMA \(name); CREATE TABLE files (sender_id bytea); "
                    + "CREATE TABLE recipients (recipient_id bytea)", within: .seconds(10))
        }
        let error = try #require(throws: XFTPRelayError.self) {
            try pool.withConnection { try PostgresRecords.refuseOfficialTables($0, pool.settings) }
        }
        #expect(error.code == .unsupported && error.remedy == .exportStoreLog)
        // Where an operator has both, ours are those that are used.
        try pool.withConnection {
            try $0.runScript("CREATE TABLE chunks (id bytea)", within: .seconds(10))
        }
        try pool.withConnection { try PostgresRecords.refuseOfficialTables($0, pool.settings) }
    }
}
