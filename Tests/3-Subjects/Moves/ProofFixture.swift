import FaultInjection
import SystemPackage
import ValiseAccounts
import ValiseDatabase
import ValiseFiles
import ValiseMoves
import ValiseSampleAccounts
import ValiseSecrets

/// Accounts to be proved, under raw keys, which need no derivation and so are fast.
final class ProofFixture {
    let folder: TemporaryFolder
    let fileSystem = FileSystem()

    static func key(_ digits: String = "5a") throws -> SecretBytes {
        try SecretBytes(copying: Array(("x'" + String(repeating: digits, count: 32) + "'").utf8))
    }

    private static let template = Result {
        let folder = try TemporaryFolder.untilExit("valise-proof-template")
        let location = AccountLocation(directory: folder.appending("account"))
        try SampleAccount(.init(messages: 120)).build(location, passphrase: key())
        for database in AccountDatabase.allCases {
            // When they were run is all that differs from one build to the next.
            try Connection(location.path(of: database), mode: .readWrite, passphrase: key())
                .execute("UPDATE migrations SET ts = '2026-01-31 12:00:00'")
        }
        return location
    }

    init() throws {
        folder = try TemporaryFolder("valise-proof", inMemory: true)
    }

    /// A copy of the sample account.
    func sample(_ name: String = "account") throws -> AccountLocation {
        let location = AccountLocation(directory: folder.appending(name))
        try TemporaryFolder.copyTree(Self.template.get().directory, to: location.directory)
        return location
    }

    /// An account of whatever the script makes, without media.
    func bare(_ chat: String, unencrypted: Bool = false, name: String = "bare") throws -> AccountLocation {
        let location = AccountLocation(directory: folder.appending(name))
        try fileSystem.makeDirectory(location.directory)
        for (database, script) in [(AccountDatabase.chat, chat), (.agent, Self.agent)] {
            let key = unencrypted ? try SecretBytes.empty() : try Self.key()
            try Connection(location.path(of: database), mode: .create, passphrase: key).execute(script)
        }
        return location
    }

    static let agent = """
        CREATE TABLE connections (conn_id BLOB NOT NULL PRIMARY KEY, note TEXT) WITHOUT ROWID;
        INSERT INTO connections VALUES (x'02', 'second'), (x'01', NULL);
        """

    func run(_ location: AccountLocation, _ sql: String, _ database: AccountDatabase = .chat) throws {
        try Connection(location.path(of: database), mode: .readWrite, passphrase: Self.key()).execute(sql)
    }

    func proof(_ location: AccountLocation, _ digits: String = "5a") throws -> AccountProof {
        try AccountProof.make(location, passphrase: Self.key(digits))
    }
}

extension DeviceMigrationError {
    /// What an operation ends with; nil where it succeeds, or fails with anything else.
    static func kind(of operation: () throws -> Void) -> Kind? {
        do {
            try operation()
            return nil
        } catch {
            return (error as? DeviceMigrationError)?.kind
        }
    }
}
