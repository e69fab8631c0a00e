import Foundation
import Synchronization
import TestPeers
import ValiseConcurrency
import ValiseFailures
import ValisePostgres

/// Connections for tests, to the server that many share, in a schema that nobody else has.
struct PostgresPlace {
    let server: PostgresServer
    var settings: PostgresSettings

    private static let count = Atomic(0)

    /// - Parameter server: nil for the shared one.
    init(_ server: PostgresServer? = nil) throws {
        let server = try server ?? PostgresServer.shared()
        let number = Self.count.add(1, ordering: .relaxed).newValue
        self.server = server
        settings = try PostgresSettings(PostgresAddress(server.address), schema: "test_\(number)")
        settings.connectTimeout = .seconds(20)
    }

    func connect() throws -> PostgresConnection { try PostgresConnection(settings) }

    /// A connection whose schema exists, after a script.
    func connect(after script: String) throws -> PostgresConnection {
        let connection = try connect()
        try connection.run("CREATE SCHEMA IF NOT EXISTS \(settings.schema)")
        try connection.runScript(script, within: .seconds(20))
        return connection
    }
}

/// What the body throws, where that is a failure of the database.
func postgresFailure<Result>(_ body: () throws -> Result) -> PostgresError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? PostgresError
    }
}

/// Runs the body on as many threads at once, and waits for all.
/// - Throws: what the first of them threw.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    let tasks = (0..<count).map { index in BackgroundTask { _ in try body(index) } }
    for task in tasks { try task.value() }
}

extension PostgresConnection {
    /// The number of the process of the server that serves it.
    func backend() throws -> Int64 { try run("SELECT pg_backend_pid()")[0].integer(0) }
}
