public import ValiseAccounts
package import ValiseMaintenance

/// Shows the encryption settings of an account; no passphrase needed.
public struct InspectEncryption: Operation {
    package var account: AccountLocation

    /// - Parameter account: the account to inspect.
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
