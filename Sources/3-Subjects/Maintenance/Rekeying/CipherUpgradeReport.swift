public import ValiseAccounts
package import ValisePages

/// What an upgrade of the cipher format found and did.
public struct CipherUpgradeReport: Sendable {
    /// The settings as they were.
    package let previous: [AccountDatabase: CipherSettings]
    /// The databases that had older settings.
    public let upgraded: [AccountDatabase]
    /// Of the databases that have older settings, in bytes.
    package let size: Int64
    package let recovery: AccountRecovery?
    /// Whether the previous databases are kept.
    package let keepsBackup: Bool
}
