public import Accounts
public import Files
public import Secrets

/// What an app keeps of its settings in the chat database: one row of JSON in the table `app_settings`.
public struct AppSettings: Sendable, Equatable {
    /// The JSON object, as it is stored.
    public let json: String

    /// What of it goes into a link; nil where it says nothing about the network that is understood.
    public var networkConfig: NetworkConfig? { nil }

    /// Reads them. The account is locked (shared) meanwhile.
    ///
    /// - Returns: nil where the schema has no such table, or nothing was saved.
    /// - Throws: ``DeviceMigrationError``: `wrongPassphrase`, `invalidSettings`; ``AccountError``; ``DatabaseError``;
    ///   ``FileError``.
    public static func read(
        _ location: AccountLocation, passphrase: borrowing SecretBytes,
        fileSystem: FileSystem = FileSystem()
    ) throws -> AppSettings? {
        throw DeviceMigrationError(.failed, "not made yet")
    }

    /// Takes a network configuration over into an account, in one transaction. All other settings stay as they are.
    ///
    /// - Returns: false where the schema has no table for settings, and nothing was changed.
    /// - Throws: ``DeviceMigrationError``: `wrongPassphrase`, `invalidSettings`; ``AccountError``: `inUse`;
    ///   ``DatabaseError``; ``FileError``. The settings are the former ones then.
    @discardableResult
    public static func write(
        _ config: NetworkConfig, into location: AccountLocation, passphrase: borrowing SecretBytes,
        fileSystem: FileSystem = FileSystem()
    ) throws -> Bool {
        throw DeviceMigrationError(.failed, "not made yet")
    }
}
