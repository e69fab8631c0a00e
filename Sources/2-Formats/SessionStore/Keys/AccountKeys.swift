import ValiseCryptography
package import ValiseSecrets

/// The keys of an account of Session: a seed of Ed25519, and what follows of it.
package struct AccountKeys: Sendable {
    /// 32 bytes.
    package let seed: SecretSeed
    /// Of Ed25519, 32 bytes.
    package let signingKey: [UInt8]
    package let id: AccountID

    /// - Parameter seed: of Ed25519.
    /// - Throws: ``SessionStoreError`` with `damaged` where the seed makes no ID, which none does.
    package init(seed: SecretSeed) throws(SessionStoreError) {
        self.seed = seed
        signingKey = Ed25519.publicKey(of: seed)
        guard let key = Ed25519.agreementKey(of: signingKey), let id = AccountID([AccountID.prefix] + key)
        else { throw SessionStoreError(.damaged, "the key of the account makes no Session ID") }
        self.id = id
    }

    /// The private key of X25519.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package func agreementSecret() throws -> SecretSeed { try Ed25519.agreementSecret(of: seed) }
}
