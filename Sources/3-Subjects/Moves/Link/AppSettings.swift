import SystemPackage
package import ValiseAccounts
import ValiseChatSchema
import ValiseDatabase
import ValiseFailures
package import ValiseFiles
import ValiseMedia
package import ValiseSecrets

/// What an app keeps of its settings in the chat database: one row of JSON in the table `app_settings`.
package struct AppSettings: Sendable, Equatable {
    /// The JSON object, as it is stored.
    package let json: String
    private let members: JSONMembers

    /// In bytes; settings are some thousand.
    private static let longest = 1 << 20

    /// - Throws: ``DeviceMigrationError`` with `invalidSettings`.
    init(json: String) throws(DeviceMigrationError) {
        guard json.utf8.count <= Self.longest, let members = JSONMembers(json) else {
            throw DeviceMigrationError(
                .invalidSettings,
                "the app settings in the chat database are not a JSON object. They are unchanged.")
        }
        self.json = json
        self.members = members
    }

    /// What of it goes into a link; nil where it says nothing about the network, or nothing that is understood.
    package var networkConfig: NetworkConfig? {
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
    /// - Parameters:
    ///   - location: the account.
    ///   - passphrase: empty for an unencrypted database.
    ///   - fileSystem: where files are read and written.
    /// - Returns: nil where the schema has no such table, or nothing was saved.
    /// - Throws: ``DeviceMigrationError``: `wrongPassphrase`, `invalidSettings`; `AccountError`; `DatabaseError`;
    ///   `FileError`.
    package static func read(
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
        guard let table = try AppSettingsTable(connection) else { return nil }
        return try stored(table, connection)
    }

    /// Takes a network configuration over into an account, atomically. All other settings stay as they are.
    ///
    /// The chat database is changed on a copy, which then takes its place.
    ///
    /// - Parameters:
    ///   - config: what is written.
    ///   - location: the account.
    ///   - passphrase: of both databases; empty for none.
    ///   - fileSystem: where files are read and written.
    /// - Returns: false where the schema has no table for settings, and nothing was changed.
    /// - Throws: ``DeviceMigrationError``: `wrongPassphrase`, `invalidSettings`; `AccountError`: `inUse`;
    ///   `DatabaseError`; `FileError`. The settings are the previous ones then.
    @discardableResult
    package static func write(
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
            guard let table = try AppSettingsTable(connection) else { return false }
            try refuseTriggers(table, connection)
            let previous = try stored(table, connection)
            new = try (previous ?? AppSettings(json: "{}")).setting(config).json
            if new == previous?.json { return true }
        }
        let change = try account.change("network settings")
        let staged = change.stagedPath(of: .chat)
        try fileSystem.copy(file.path, to: staged)
        do {
            let connection = try keys.connect(.chat, at: staged, .readWrite)
            try AppSettingsTable(connection)?.put(new, connection)
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

    /// No app makes one; whoever made it decides what a change of the settings does.
    private static func refuseTriggers(
        _ table: AppSettingsTable, _ connection: borrowing Connection
    ) throws {
        guard try table.hasTrigger(connection) else { return }
        throw DeviceMigrationError(
            .unsupported, "the app settings table has a trigger. Nothing was changed.",
            subject: connection.path.string)
    }

    private static func stored(
        _ table: AppSettingsTable, _ connection: borrowing Connection
    ) throws -> AppSettings? {
        switch try table.stored(connection) {
        case .text(let text): try AppSettings(json: text)
        case .blob(let bytes): try AppSettings(json: String(decoding: bytes, as: UTF8.self))
        case .integer, .real: try AppSettings(json: "")
        case .null, nil: nil
        }
    }

    private static func migrationError(_ error: AccountMediaError) -> DeviceMigrationError {
        DeviceMigrationError(
            error.code == .wrongPassphrase ? .wrongPassphrase : .damaged, error.message,
            subject: error.subject,
            cause: error.cause, remedy: error.remedy)
    }
}
