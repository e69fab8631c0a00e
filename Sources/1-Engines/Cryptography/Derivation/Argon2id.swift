import CValiseArgon2
import ValiseEncoding
import ValiseFailures
package import ValiseSecrets

/// How costly it is to try a password: Argon2id, version 1.3 (RFC 9106), without a secret and associated data.
package struct Argon2id: Hashable, Sendable {
    /// How often the memory is passed over.
    package let passes: UInt32
    /// The memory, in KiB.
    package let kibibytes: UInt32
    /// Parts of the memory, each of which a thread fills.
    package let lanes: UInt32

    /// The most memory, in KiB: 4 GiB.
    private static let mostKibibytes: UInt32 = 1 << 22

    package init(passes: UInt32, kibibytes: UInt32, lanes: UInt32) {
        (self.passes, self.kibibytes, self.lanes) = (passes, kibibytes, lanes)
    }

    /// The key that a password has with these numbers and this salt.
    ///
    /// - Parameters:
    ///   - password: any bytes, none for an empty one.
    ///   - salt: at least 8 bytes.
    /// - Returns: 32 bytes.
    /// - Throws: ``CryptographyError``: `invalid` for numbers that Argon2 does not take, `failed` where libargon2 cannot be
    ///   loaded or there is not enough memory; `SecretsError`.
    package func key(_ password: borrowing SecretBytes, salt: [UInt8]) throws -> SecretSeed {
        guard salt.count >= 8, passes > 0, (1...64).contains(lanes), kibibytes >= 8 * lanes,
            kibibytes <= Self.mostKibibytes
        else { throw CryptographyError(.invalid, "key derivation parameters out of range") }
        try Self.load()
        return try unsafe SecretSeed { memory in
            let reason = unsafe password.withBytes { password in
                unsafe valise_argon2id(
                    passes, kibibytes, lanes, password.baseAddress, password.count, salt, salt.count,
                    memory.baseAddress, memory.count)
            }
            guard let reason = unsafe reason else { return }
            let size = Count.bytes(Int64(kibibytes) << 10)
            let text = unsafe String(cString: reason)
            throw CryptographyError(
                .failed, "cannot derive a key from the passphrase (memory: \(size)): \(text)")
        }
    }
}

extension Argon2id {
    /// Asks for libargon2, which is loaded when it is first needed.
    /// - Throws: ``CryptographyError`` with `failed` where it cannot be loaded.
    package static func load() throws(CryptographyError) { try unsafe check(valise_argon2_load()) }

    /// What would be thrown for a library of another name, of which nothing is used.
    static func attempt(_ name: String) throws(CryptographyError) {
        try unsafe check(valise_argon2_try(name))
    }

    private static func check(_ reason: UnsafePointer<CChar>?) throws(CryptographyError) {
        guard let reason = unsafe reason else { return }
        let text = unsafe String(cString: reason)
        throw CryptographyError(
            .failed, "cannot load libargon2, which derives keys from passphrases: \(text)",
            remedy: .installLibargon2)
    }
}
