import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFiles
import ValiseMaintenance
import ValiseSecrets

/// An account in a temporary folder, encrypted with a raw key: that needs no derivation, so it is fast.
final class AccountFixture {
    let folder: TemporaryFolder
    let location: AccountLocation
    let fileSystem = FileSystem()

    init(
        schema: [AccountDatabase: String] = [:], marker: String? = nil, inMemory: Bool = false
    ) throws {
        folder = try TemporaryFolder(inMemory: inMemory)
        location = AccountLocation(directory: folder.appending("account"))
        // Where nothing tells them apart, accounts may be the same to the byte.
        let name = "account \(schema.sorted { $0.key.rawValue < $1.key.rawValue }) \(marker ?? "")"
        try PreparedFolder.place(name, at: location.directory) { _ in
            try AccountCreation().create(location, passphrase: Self.key(), schema: schema)
            if let marker { try mark(marker) }
        }
    }

    static func key() throws -> SecretBytes {
        try SecretBytes(copying: Array(("x'" + String(repeating: "5a", count: 32) + "'").utf8))
    }

    /// Rows by which an account is told from another.
    func mark(_ text: String) throws {
        for database in AccountDatabase.allCases {
            let connection = try Connection(
                location.path(of: database), mode: .readWrite, passphrase: Self.key())
            try connection.execute("CREATE TABLE IF NOT EXISTS marker (text TEXT)")
            try connection.run("DELETE FROM marker")
            try connection.run("INSERT INTO marker VALUES (?)", [.text(text)])
        }
    }

    /// The marks of both databases at a place.
    static func marks(_ location: AccountLocation) throws -> [Value?] {
        try AccountDatabase.allCases.map {
            let connection = try Connection(location.path(of: $0), mode: .readOnly, passphrase: key())
            return try connection.value("SELECT text FROM marker")
        }
    }

    /// The newest migration of both databases.
    func newest() throws -> [String?] {
        try AccountDatabase.allCases.map {
            let connection = try Connection(location.path(of: $0), mode: .readOnly, passphrase: Self.key())
            return try connection.value("SELECT max(name) FROM migrations")?.text
        }
    }

    /// Makes the folder what another one is.
    func restore(from template: FilePath) throws {
        try fileSystem.removeTree(location.directory)
        try TemporaryFolder.copyTree(template, to: location.directory)
    }

    func expectNoLeftovers(allowBackup: Bool = false, _ comment: Comment? = nil) throws {
        let hidden = try fileSystem.list(location.directory).compactMap(\.name).filter { $0.hasPrefix(".") }
        #expect(hidden.isEmpty || allowBackup, comment)
    }
}
