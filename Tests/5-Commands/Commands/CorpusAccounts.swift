import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseSecrets

/// The accounts that the corpus of archives is built from, each exported to a zip.
struct CorpusAccounts {
    private let accounts: FilePath
    private let archives: FilePath
    private let key: String
    private let otherKey: String

    /// Writes `account.zip` and its variants.
    ///
    /// - Parameters:
    ///   - folder: for the accounts themselves.
    ///   - archives: for the zips.
    ///   - keys: files of two passphrases.
    static func export(to archives: FilePath, keys: (right: FilePath, wrong: FilePath), in folder: FilePath)
        throws
    {
        let made = CorpusAccounts(
            accounts: folder, archives: archives, key: "--passphrase-file=\(keys.right)",
            otherKey: "--passphrase-file=\(keys.wrong)")
        try made.exportAll()
    }

    private func exportAll() throws {
        // With so few messages none of the media is missing on purpose.
        try sample("account", [key])
        try sample("stranger", [key, "--seed=2"])
        try sample("other", [otherKey])
        try sample("plain", [])
        try older()
        try changed("newer", "INSERT INTO migrations (name, ts) VALUES ('20990101_tomorrow', '2099-01-01')")
        try changed("unknown", "UPDATE migrations SET name = 'other_' || name")
        try changed(
            "orphans",
            """
            PRAGMA foreign_keys = OFF;
            DELETE FROM contacts
            WHERE contact_id IN (SELECT contact_id FROM chat_items WHERE contact_id IS NOT NULL LIMIT 1)
            """)
        // The index is said to cover the rows that it leaves out.
        try changed(
            "lost-index",
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, 'IS NOT NULL', 'IS NULL')
            WHERE name = 'idx_chat_items_timed_delete_at';
            PRAGMA writable_schema = RESET
            """)
    }

    private func sample(_ name: String, _ options: [String]) throws {
        try run(Program.sample, [accounts.appending(name).string, "--messages=40"] + options)
        try export(name)
    }

    private func export(_ name: String) throws {
        try run(
            Program.valise,
            [
                "archive", "export", accounts.appending(name).string,
                archives.appending("\(name).zip").string, "--quiet",
            ])
    }

    /// A copy of the account whose chat database was changed by SQL.
    private func changed(_ name: String, _ sql: String) throws {
        let location = AccountLocation(directory: try copy(name))
        do {
            let connection = try Connection(
                location.path(of: .chat), mode: .readWrite, passphrase: AccountState.key())
            try connection.execute(sql)
        }
        try export(name)
    }

    private func older() throws {
        let account = try copy("older").string
        try run(
            Program.valise,
            [
                "migrate", "run", account, "--to-chat=0020_channels", "--confirm=yesUpDown", key, "--quiet",
            ])
        try run(Program.valise, ["migrate", "confirm", account, "--quiet"])
        try export("older")
    }

    private func copy(_ name: String) throws -> FilePath {
        try TemporaryFolder.copyTree(accounts.appending("account"), to: accounts.appending(name))
        return accounts.appending(name)
    }

    private func run(_ program: String, _ arguments: [String]) throws {
        let outcome = try Program.run(program, arguments)
        try #require(outcome.status == 0, "\(arguments): \(outcome.errors)")
    }
}
