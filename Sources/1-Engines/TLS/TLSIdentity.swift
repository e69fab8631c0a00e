package import ValiseCryptography

/// What a server shows and proves: its certificates, its own first, and the key of that one.
package struct TLSIdentity: Sendable {
    package let chain: [Certificate]
    package let key: SigningKey

    /// - Throws: ``TLSError``: `failed` without certificates, or when the key is not that of the first.
    package init(chain: [Certificate], key: SigningKey) throws(TLSError) {
        guard let leaf = chain.first, leaf.belongs(to: key) else {
            throw TLSError(.failed, "the server's key and certificate do not match")
        }
        self.chain = chain
        self.key = key
    }
}
