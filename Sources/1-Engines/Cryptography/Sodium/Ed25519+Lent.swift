import CValiseSodium

extension Ed25519 {
    /// Whether `signature` is one of a message that is lent, such as a part of guarded memory. Never, where a length is wrong.
    package static func verify(
        _ signature: [UInt8], of message: UnsafeRawBufferPointer, publicKey: [UInt8]
    ) -> Bool {
        unsafe signature.count == signatureByteCount && publicKey.count == publicKeyByteCount
            && crypto_sign_ed25519_verify_detached(
                signature, message.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(message.count),
                publicKey) == 0
    }
}
