import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseArchives
import ValiseDatabase
import ValiseFiles
import ValiseSecrets

@testable import ValiseChatSchema

/// Accounts of each kind, opened for reading.
enum AccountFixture {
    private static let fixtures = FilePath(
        Repository.url("Tests/5-Commands/Commands/Fixtures").path)

    /// An account that the app's own core made.
    struct Official: Sendable, CustomTestStringConvertible {
        let file: String
        let passphrase: String
        let chatMigrations: Int
        let agentMigrations: Int

        var testDescription: String { file }
    }

    static let official = [
        Official(
            file: "alice-5.4.zip", passphrase: "correct-horse-21", chatMigrations: 90, agentMigrations: 27),
        Official(file: "alice.zip", passphrase: "correct-horse-11", chatMigrations: 112, agentMigrations: 36),
        Official(file: "bob.zip", passphrase: "", chatMigrations: 112, agentMigrations: 36),
    ]

    /// Opens a database of an archive where it lies.
    static func open(_ account: Official, _ name: String) throws -> Connection {
        let path = fixtures.appending("app-core").appending(account.file)
        let index = try ZipIndex(FileSystem().openForReading(path), limits: ZipLimits(ratio: 1100))
        guard let entry = index.entry(named: "simplex_v1_\(name).db") else { throw Missing() }
        let source = try entry.source(in: FileSource(path))
        return try Connection(source, passphrase: SecretBytes(copying: Array(account.passphrase.utf8)))
    }

    /// An agent database that the official program made, of 44 migrations and without rows of use.
    static func officialAgent() throws -> Connection {
        try Connection(
            fixtures.appending("fresh-agent.db"), mode: .readOnly,
            passphrase: SecretBytes(copying: Array("passphrase".utf8)))
    }

    struct Missing: Error {}

    /// A database of our own schema at one of its levels.
    static func own(_ lineage: SchemaLineage, level: Int) throws -> Connection {
        let connection = try Connection(":memory:", mode: .inMemory, passphrase: SecretBytes.empty())
        let list = try MigrationList(Array(lineage.migrations.prefix(level)))
        _ = try Migrator(list).run(on: connection, confirmation: .yesUp, vacuum: false)
        return connection
    }

    /// A database that was made by these statements.
    static func made(_ sql: String) throws -> Connection {
        let connection = try Connection(":memory:", mode: .inMemory, passphrase: SecretBytes.empty())
        try connection.execute(sql)
        return connection
    }
}
