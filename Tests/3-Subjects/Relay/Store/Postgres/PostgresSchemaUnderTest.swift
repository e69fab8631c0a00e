import Synchronization
import TestPeers
import ValisePostgres

@testable import ValiseRelay

/// A schema of its own on a server of PostgreSQL, with as many records over it as one likes: each is as another process has them.
struct PostgresSchemaUnderTest: Sendable {
    let server: PostgresServer
    var settings: PostgresSettings
    var quota: Int64?

    private static let count = Atomic(0)

    /// - Parameter server: nil for the one that many tests share.
    init(_ server: PostgresServer? = nil, quota: Int64? = nil) throws {
        self.server = try server ?? PostgresServer.shared()
        let number = Self.count.add(1, ordering: .relaxed).newValue
        settings = try PostgresSettings(
            PostgresAddress(self.server.address), schema: "records_\(number)")
        settings.applicationName = settings.schema
        settings.connectTimeout = .seconds(20)
        self.quota = quota
    }

    func records(connections: Int = 4, migrates: Bool = true) throws -> PostgresRecords {
        try PostgresRecords(
            PostgresPool(settings, PostgresPool.Limits(connections: connections)), quota: quota,
            migrates: migrates, clock: { RecordsUnderTest.now })
    }

    /// Three processes.
    func made(_ bytes: MemoryBytes = MemoryBytes(sharesNames: false)) throws -> RecordsUnderTest {
        RecordsUnderTest(
            records: try records(), bytes: bytes, others: [try records(), try records()],
            reopen: { try records() })
    }

    /// The same for another user of the server.
    func of(_ user: String) throws -> PostgresSchemaUnderTest {
        var place = self
        let address = server.address.replacing("user=valise", with: "user=\(user)")
        place.settings = try PostgresSettings(PostgresAddress(address), schema: settings.schema)
        return place
    }

    /// A connection that is nobody's.
    func connect() throws -> PostgresConnection {
        var settings = settings
        settings.applicationName = "test"
        return try PostgresConnection(settings)
    }
}

/// What the tables of a relay say at one moment, in one statement.
struct PostgresTotals {
    /// Of bodies that are here or coming in, in bytes: as it is counted, and as the tables have it.
    let space: (counted: Int64, added: Int64)
    /// Chunks, bodies that are here, and recipients.
    let counted: [Int64]
    let added: [Int64]
    /// Names of bodies that are to be removed.
    let tombstones: Int64

    init(_ connection: PostgresConnection) throws {
        let row = try connection.run(
            """
            SELECT (SELECT total FROM space),
                ((SELECT coalesce(sum(size), 0) FROM chunks WHERE upload IS NOT NULL)
                    + (SELECT coalesce(sum(size), 0) FROM reservations))::bigint,
                (SELECT sum(chunks)::bigint FROM counters), (SELECT sum(uploaded)::bigint FROM counters),
                (SELECT sum(recipients)::bigint FROM counters), (SELECT count(*) FROM chunks),
                (SELECT count(upload) FROM chunks), (SELECT count(*) FROM names WHERE ordinal > 0),
                (SELECT count(*) FROM tombstones)
            """)[0]
        space = (try row.integer(0), try row.integer(1))
        counted = try (2...4).map { try row.integer($0) }
        added = try (5...7).map { try row.integer($0) }
        tombstones = try row.integer(8)
    }

    /// Whether what is counted is what there is.
    var agree: Bool { space.counted == space.added && counted == added }
}

extension RecordsFactory {
    /// Three processes with one schema; nil where PostgreSQL is not installed.
    static let postgres: RecordsFactory? =
        PostgresServer.isAvailable
        ? RecordsFactory(testDescription: "PostgreSQL, objects") { quota in
            try PostgresSchemaUnderTest(quota: quota).made()
        } : nil
}
