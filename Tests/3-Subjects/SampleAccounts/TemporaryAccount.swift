import SystemPackage
import ValiseAccounts
import ValiseDatabase
import ValiseFiles
import ValiseSampleAccounts
import ValiseSecrets

/// A sample account in a folder that goes away with it.
final class TemporaryAccount: Sendable {
    let location: AccountLocation
    let report: SampleReport

    convenience init(
        messages: Int = 300, mediaBytes: Int64 = 0, seed: UInt64 = 1, conversations: Int = 0
    ) throws {
        let none = try SecretBytes.empty()
        try self.init(
            messages: messages, mediaBytes: mediaBytes, seed: seed, conversations: conversations,
            passphrase: none)
    }

    init(
        messages: Int = 300, mediaBytes: Int64 = 0, seed: UInt64 = 1, conversations: Int = 0,
        passphrase: borrowing SecretBytes
    ) throws {
        let name = "valise-sample-\(UInt64.random(in: 0...UInt64.max))"
        location = AccountLocation(directory: FilePath("/tmp").appending(name))
        let options = SampleAccount.Options(
            messages: messages, mediaBytes: mediaBytes, seed: seed, conversations: conversations)
        report = try SampleAccount(options).build(location, passphrase: passphrase)
    }

    deinit { try? FileSystem().removeTree(location.directory) }

    func open(_ database: AccountDatabase) throws -> Connection {
        try Connection(location.path(of: database), mode: .readOnly, passphrase: try SecretBytes.empty())
    }

    /// All rows of all tables but the list of migrations, which notes when they ran.
    func dump(_ database: AccountDatabase) throws -> [String: [[Value]]] {
        let connection = try open(database)
        let tables = try connection.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'migrations'")
        var dump: [String: [[Value]]] = [:]
        for table in tables.compactMap(\.[0].text) {
            dump[table] = try connection.rows("SELECT * FROM \(table)")
        }
        return dump
    }
}
