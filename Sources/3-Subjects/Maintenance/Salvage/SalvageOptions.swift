public import ValiseAccounts
public import ValisePages

/// How an account is salvaged.
public struct SalvageOptions: Sendable {
    /// Whether rows are taken from pages with a wrong HMAC. With a single changed bit, most of such a page is
    /// intact, but nothing verifies it.
    public var usesDamagedPages = false
    /// Whether the media folders are copied as well.
    public var copiesMedia = true
    /// Whether rows that refer to lost ones are left out. The official programs open the account either way.
    public var dropsOrphans = false
    /// Whether salts that differ in one bit are tried if no salt works: about 128 key derivations.
    public var repairsSalt = false
    /// Whether everything is done except installing the new account.
    package var isDryRun = false
    /// The key derivation of databases encrypted with custom settings.
    public var hint: CipherHint?
    /// Another account with the same passphrase and schema, to replace lost parts of this one's schema.
    public var schemaFrom: AccountLocation?

    /// Everything that can be read, from the pages that are intact.
    public init() {}
}
