import FaultInjection
import SystemPackage
import ValiseAccounts
import ValiseDatabase
import ValiseFiles

/// What a program leaves that dies in the middle of a large transaction.
enum HotJournal {
    static func leave(_ path: FilePath, _ fixture: AccountFixture) throws {
        let saved = fixture.folder.appending("torn.db")
        do {
            let connection = try Connection(path, mode: .readWrite, passphrase: AccountFixture.key())
            try connection.execute(
                """
                PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE marker SET text = 'torn';
                CREATE TABLE junk (x BLOB);
                WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
                INSERT INTO junk SELECT randomblob(3000) FROM n
                """)
            for suffix in ["", "-journal"] {
                try fixture.fileSystem.copy(
                    path.appendingSuffix(suffix), to: saved.appendingSuffix(suffix))
            }
        }
        for suffix in ["", "-journal"] {
            try fixture.fileSystem.rename(saved.appendingSuffix(suffix), to: path.appendingSuffix(suffix))
        }
    }
}
