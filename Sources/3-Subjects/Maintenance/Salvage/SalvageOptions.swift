public import ValiseAccounts
public import ValisePages

/// How an account is salvaged.
public struct SalvageOptions: Sendable {
    /// Whether rows are taken from pages whose HMAC does not hold. With a single changed bit most of such a
    /// page is what it was; but nothing proves it.
    public var usesDamagedPages = false
    /// Whether the media folders are copied as well.
    public var copiesMedia = true
    /// Whether rows that refer to lost ones are left out. The official programs open the account either way.
    public var dropsOrphans = false
    /// Whether salts that differ in one bit are tried where no salt fits: some 128 key derivations.
    public var repairsSalt = false
    /// Whether everything is done but putting the new account in place.
    public var isDryRun = false
    /// The key derivation of databases that were encrypted with settings of one's own.
    public var hint: CipherHint?
    /// Another account with the same passphrase and schema, for what is lost of this one's schema.
    public var schemaFrom: AccountLocation?

    /// Everything that can be read, from the pages that are intact.
    public init() {}
}
