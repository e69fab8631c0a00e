public import ValiseAccounts
public import ValisePages

/// How an account is salvaged.
public struct SalvageOptions: Sendable {
    /// Whether rows are taken from pages with a wrong HMAC. With a single changed bit, most of such a page is
    /// intact, but nothing verifies it.
    package var usesDamagedPages: Bool
    /// Whether the media folders are copied as well.
    package var copiesMedia: Bool
    /// Whether rows that refer to lost ones are left out. The official programs open the account either way.
    package var dropsOrphans: Bool
    /// Whether salts that differ in one bit are tried if no salt works: about 128 key derivations.
    package var repairsSalt: Bool
    /// Whether everything is done except installing the new account.
    package var isDryRun = false
    /// The key derivation of databases encrypted with custom settings.
    package var hint: CipherHint?
    /// Another account with the same passphrase and schema, to replace lost parts of this one's schema.
    package var schemaFrom: AccountLocation?

    /// Without parameters, everything that can be read, from the pages that are intact.
    ///
    /// - Parameters:
    ///   - usesDamagedPages: whether rows are taken from pages with a wrong HMAC. With a single changed bit, most of such a
    ///     page is intact, but nothing verifies it.
    ///   - copiesMedia: whether the media folders are copied as well.
    ///   - dropsOrphans: whether rows that refer to lost ones are left out. The official programs open the account either way.
    ///   - repairsSalt: whether salts that differ in one bit are tried if no salt works: about 128 key derivations.
    ///   - hint: the key derivation of databases encrypted with custom settings.
    ///   - schemaFrom: another account with the same passphrase and schema, to replace lost parts of this one's schema.
    public init(
        usesDamagedPages: Bool = false, copiesMedia: Bool = true, dropsOrphans: Bool = false,
        repairsSalt: Bool = false, hint: CipherHint? = nil, schemaFrom: AccountLocation? = nil
    ) {
        self.usesDamagedPages = usesDamagedPages
        self.copiesMedia = copiesMedia
        self.dropsOrphans = dropsOrphans
        self.repairsSalt = repairsSalt
        self.hint = hint
        self.schemaFrom = schemaFrom
    }
}
