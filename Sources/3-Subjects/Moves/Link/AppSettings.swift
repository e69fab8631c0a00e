import SystemPackage
public import ValiseAccounts
import ValiseDatabase
import ValiseFailures
public import ValiseFiles
import ValiseMedia
public import ValiseSecrets

/// What an app keeps of its settings in the chat database: one row of JSON in the table `app_settings`.
public struct AppSettings: Sendable, Equatable {
    /// The JSON object, as it is stored.
    public let json: String
    private let members: JSONMembers

    static let table = "app_settings"
    /// In bytes; settings are some thousand.
    private static let longest = 1 << 20

    /// - Throws: ``DeviceMigrationError`` with `invalidSettings`.
    init(json: String) throws(DeviceMigrationError) {
        guard json.utf8.count <= Self.longest, let members = JSONMembers(json) else {
            throw DeviceMigrationError(
                .invalidSettings,
                "the settings in the chat database are no JSON object, so they are left as they are")
        }
        self.json = json
        self.members = members
    }

    /// What of it goes into a link; nil where it says nothing about the network, or nothing that is understood.
    public var networkConfig: NetworkConfig? {
        guard let found = members["networkConfig"], var config = try? NetworkConfig(json: found) else {
            return nil
        }
        // Some versions keep it beside.
        if config.networkProxy == nil, let proxy = members["networkProxy"] {
            config.networkProxy = try? NetworkProxy(json: proxy)
        }
        // Time limits and the like belong to the machine.
        return NetworkConfig(
            socksProxy: config.socksProxy, networkProxy: config.networkProxy, hostMode: config.hostMode,
            requiredHostMode: config.requiredHostMode)
    }

    /// The same settings with another network configuration. All else stays byte for byte.
    func setting(_ config: NetworkConfig) throws(DeviceMigrationError) -> AppSettings {
        let known = Dictionary(config.knownMembers) { first, _ in first }
        var inner = members["networkConfig"].flatMap { JSONMembers($0) } ?? JSONMembers()
        var outer = members
        for name in ["socksProxy", "networkProxy", "hostMode", "requiredHostMode"] {
            // Where it is kept beside, it stays there.
            if name == "networkProxy", members[name] != nil {
                outer = outer.setting(name, to: known[name])
            } else {
                inner = inner.setting(name, to: known[name])
            }
        }
        let result = outer.setting("networkConfig", to: String(decoding: inner.text, as: UTF8.self))
        return try AppSettings(json: String(decoding: result.text, as: UTF8.self))
    }

    // MARK: In an account

    /// Reads them. The account is locked (shared) meanwhile.
    ///
    /// - Parameter passphrase: empty for a plain database.
    /// - Returns: nil where the schema has no such table, or nothing was saved.
    /// - Throws: ``DeviceMigrationError``: `wrongPassphrase`, `invalidSettings`; ``AccountError``; ``DatabaseError``;
    ///   ``FileError``.
    public static func read(
        _ location: AccountLocation, passphrase: borrowing SecretBytes,
        fileSystem: FileSystem = FileSystem()
    ) throws -> AppSettings? {
        let reader = try AccountReader(location, use: .refused, fileSystem: fileSystem)
        defer { withExtendedLifetime(reader) {} }
        let connection: Connection
        do {
            connection = try reader.connectWithAnySettings(.chat, passphrase: passphrase)
        } catch let error as AccountMediaError {
            throw migrationError(error)
        }
        return try stored(connection)
    }

    /// Takes a network configuration over into an account, as one act. All other settings stay as they are.
    ///
    /// The chat database is changed on a copy, which then takes its place.
    ///
    /// - Parameter passphrase: of both databases; empty for none.
    /// - Returns: false where the schema has no table for settings, and nothing was changed.
    /// - Throws: ``DeviceMigrationError``: `wrongPassphrase`, `invalidSettings`; ``AccountError``: `inUse`;
    ///   ``DatabaseError``; ``FileError``. The settings are the former ones then.
    @discardableResult
    public static func write(
        _ config: NetworkConfig, into location: AccountLocation, passphrase: borrowing SecretBytes,
        fileSystem: FileSystem = FileSystem()
    ) throws -> Bool {
        let account = try AccountWriter(location, fileSystem: fileSystem)
        defer { withExtendedLifetime(account) {} }
        guard let file = try account.databaseFiles()[.chat] else { return false }
        let keys = try keys(account, passphrase, fileSystem)
        let new: String
        do {
            let connection = try keys.connect(.chat, at: file.path, .readOnlyUnderLock)
            guard try isThere(connection) else { return false }
            try refuseTriggers(connection)
            let former = try stored(connection)
            new = try (former ?? AppSettings(json: "{}")).setting(config).json
            if new == former?.json { return true }
        }
        let change = try account.change("network settings")
        let staged = change.stagedPath(of: .chat)
        try fileSystem.copy(file.path, to: staged)
        do {
            let connection = try keys.connect(.chat, at: staged, .readWrite)
            try put(new, connection)
        }
        try fileSystem.openForUpdating(staged).synchronize()
        change.replaces(.chat)
        try change.commit()
        return true
    }

    /// Folds what a crashed program left, and derives the keys: once, where nothing is to be folded.
    private static func keys(
        _ account: AccountWriter, _ passphrase: borrowing SecretBytes, _ fileSystem: FileSystem
    ) throws -> DerivedKeys {
        do {
            if try account.databaseFiles().values.contains(where: \.needsFolding) {
                try account.fold(passphrase: passphrase, progress: { _ in })
            }
            let keys = try DerivedKeys(
                account.databaseFiles(), passphrase: passphrase, fileSystem: fileSystem)
            guard try account.fold(passphrase: passphrase, hiddenLogs: keys.hiddenLogs, progress: { _ in })
            else { return keys }
            return try DerivedKeys(account.databaseFiles(), passphrase: passphrase, fileSystem: fileSystem)
        } catch let error as AccountMediaError {
            throw migrationError(error)
        }
    }

    private static func put(_ json: String, _ connection: borrowing Connection) throws {
        try connection.transaction {
            let isThere = try connection.value("SELECT count(*) FROM \(table)")?.integer ?? 0 > 0
            try connection.run(
                isThere
                    ? "UPDATE \(table) SET app_settings = ?"
                    : "INSERT INTO \(table) (app_settings) VALUES (?)",
                [.text(json)])
        }
    }

    private static func isThere(_ connection: borrowing Connection) throws -> Bool {
        let query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
        return try !connection.rows(query, [.text(table)]).isEmpty
    }

    /// No app makes one; whoever made it decides what a change of the settings does.
    private static func refuseTriggers(_ connection: borrowing Connection) throws {
        let query = "SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND lower(tbl_name) = ?"
        guard try !connection.rows(query, [.text(table)]).isEmpty else { return }
        throw DeviceMigrationError(
            .unsupported, "the table of the settings has a trigger, so nothing was changed",
            subject: connection.path.string)
    }

    private static func stored(_ connection: borrowing Connection) throws -> AppSettings? {
        guard try isThere(connection) else { return nil }
        switch try connection.value("SELECT app_settings FROM \(table) LIMIT 1") {
        case .text(let text): return try AppSettings(json: text)
        case .blob(let bytes): return try AppSettings(json: String(decoding: bytes, as: UTF8.self))
        case .integer, .real: return try AppSettings(json: "")
        case .null, nil: return nil
        }
    }

    private static func migrationError(_ error: AccountMediaError) -> DeviceMigrationError {
        DeviceMigrationError(
            error.code == .wrongPassphrase ? .wrongPassphrase : .damaged, error.message,
            subject: error.subject,
            cause: error.cause, remedy: error.remedy)
    }
}
