public import ValiseAccounts
package import ValiseMaintenance

/// Tells what the databases of an account say of their encryption, without a passphrase.
public struct InspectEncryption: Operation {
    package var account: AccountLocation

    /// - Parameter account: whose files are looked at.
    public init(of account: AccountLocation) { self.account = account }

    public func run(in context: OperationContext) async throws -> EncryptionReport {
        EncryptionReport(databases: try await context.blocking { _ in try EncryptionInfo.all(account) })
    }
}

/// How the databases of an account are encrypted.
public struct EncryptionReport: OperationReport {
    package let type = "keyInfo"
    package let databases: [EncryptionInfo]
}
