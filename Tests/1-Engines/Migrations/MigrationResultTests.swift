import Testing
import ValiseDatabase
import ValiseEncoding

/// The exact JSON of the official programs (Documentation/formats/migrations.md), in both encodings.
struct MigrationResultTests {
    struct Case: Sendable {
        let result: MigrationResult
        let tagged: String
        let singleField: String
    }

    static let cases = [
        Case(result: .ok, tagged: #"{"type":"ok"}"#, singleField: #"{"_owsf":true,"ok":{}}"#),
        Case(
            result: .invalidConfirmation, tagged: #"{"type":"invalidConfirmation"}"#,
            singleField: #"{"_owsf":true,"invalidConfirmation":{}}"#),
        Case(
            result: .errorNotADatabase(dbFile: "/a/simplex_v1_chat.db"),
            tagged: #"{"dbFile":"/a/simplex_v1_chat.db","type":"errorNotADatabase"}"#,
            singleField: #"{"_owsf":true,"errorNotADatabase":{"dbFile":"/a/simplex_v1_chat.db"}}"#),
        Case(
            result: .errorMigration(
                dbFile: "f",
                migrationError: .upgrade(upMigrations: [
                    UpMigration(upName: "20260720_server_roles", withDown: true)
                ])),
            tagged: #"{"dbFile":"f","migrationError":{"type":"upgrade","upMigrations":"#
                + #"[{"upName":"20260720_server_roles","withDown":true}]},"type":"errorMigration"}"#,
            singleField: #"{"_owsf":true,"errorMigration":{"dbFile":"f","migrationError":{"_owsf":true,"#
                + #""upgrade":{"upMigrations":[{"upName":"20260720_server_roles","withDown":true}]}}}}"#),
        Case(
            result: .errorMigration(dbFile: "f", migrationError: .downgrade(downMigrations: ["b", "a"])),
            tagged: #"{"dbFile":"f","migrationError":{"downMigrations":["b","a"],"type":"downgrade"},"#
                + #""type":"errorMigration"}"#,
            singleField: #"{"_owsf":true,"errorMigration":{"dbFile":"f","migrationError":"#
                + #"{"_owsf":true,"downgrade":{"downMigrations":["b","a"]}}}}"#),
        Case(
            result: .errorMigration(
                dbFile: "f", migrationError: .migrationError(mtrError: .noDown(dbMigrations: ["x"]))),
            tagged: #"{"dbFile":"f","migrationError":{"mtrError":{"dbMigrations":["x"],"type":"noDown"},"#
                + #""type":"migrationError"},"type":"errorMigration"}"#,
            singleField: #"{"_owsf":true,"errorMigration":{"dbFile":"f","migrationError":{"_owsf":true,"#
                + #""migrationError":{"mtrError":{"_owsf":true,"noDown":{"dbMigrations":["x"]}}}}}}"#),
        Case(
            result: .errorMigration(
                dbFile: "f",
                migrationError: .migrationError(
                    mtrError: .different(appMigration: "a", dbMigration: "b"))),
            tagged: #"{"dbFile":"f","migrationError":{"mtrError":{"appMigration":"a","dbMigration":"b","#
                + #""type":"different"},"type":"migrationError"},"type":"errorMigration"}"#,
            singleField: #"{"_owsf":true,"errorMigration":{"dbFile":"f","migrationError":{"_owsf":true,"#
                + #""migrationError":{"mtrError":{"_owsf":true,"different":{"appMigration":"a","dbMigration":"b"}}}}}}"#
        ),
        Case(
            result: .errorSQL(dbFile: "f", migrationSQLError: "no such table: x"),
            tagged: #"{"dbFile":"f","migrationSQLError":"no such table: x","type":"errorSQL"}"#,
            singleField: #"{"_owsf":true,"errorSQL":{"dbFile":"f","migrationSQLError":"no such table: x"}}"#),
        Case(
            result: .errorKeychain, tagged: #"{"type":"errorKeychain"}"#,
            singleField: #"{"_owsf":true,"errorKeychain":{}}"#),
    ]

    @Test(arguments: cases) func `is written in both forms`(_ example: Case) throws {
        #expect(try JSONText.encode(example.result) == example.tagged)
        #expect(try JSONText.encode(example.result, sums: .singleField) == example.singleField)
    }

    @Test(arguments: cases) func `is read from both forms`(_ example: Case) throws {
        #expect(try JSONText.decode(MigrationResult.self, from: example.tagged) == example.result)
        #expect(try JSONText.decode(MigrationResult.self, from: example.singleField) == example.result)
        let withoutMarker = example.singleField.split(separator: #""_owsf":true,"#).joined()
        #expect(try JSONText.decode(MigrationResult.self, from: withoutMarker) == example.result)
    }

    @Test func `a case of a newer core is no failure, nonsense is`() throws {
        let newer = #"{"type":"agentError","agentError":{"type":"CMD"}}"#
        #expect(try JSONText.decode(MigrationResult.self, from: newer) == .unknown(type: "agentError"))
        for nonsense in ["{}", "[]", #"{"a":{},"b":{}}"#, #"{"type":"errorSQL"}"#] {
            #expect(throws: (any Error).self) {
                try JSONText.decode(MigrationResult.self, from: nonsense)
            }
        }
    }
}
