import CValiseOpenSSL

/// Signatures of Ed448 by keys that come without a certificate.
package enum Ed448 {
    package static let publicKeyByteCount = 57
    package static let signatureByteCount = 114

    /// Whether `signature` is one of `message` by the owner of a raw key. Never, where a length is wrong.
    package static func verify(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
        defer { OpenSSLError.clear() }
        guard signature.count == signatureByteCount, publicKey.count == publicKeyByteCount,
            let key = unsafe EVP_PKEY_new_raw_public_key(EVP_PKEY_ED448, nil, publicKey, publicKey.count)
        else { return false }
        defer { unsafe EVP_PKEY_free(key) }
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        return unsafe EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
