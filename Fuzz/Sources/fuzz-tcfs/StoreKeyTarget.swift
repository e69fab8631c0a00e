import Fuzzing
import ValiseSecrets

@testable import ValiseContentStore

/// Wrapped keys, identities, recovery phrases.
enum StoreKeyTarget {
    /// That of the vectors, so that mutations get behind the first check.
    private static let identity: AgeIdentity? = {
        let text = "AGE-SECRET-KEY-1CGECVWAS8LLC4884VMPJ8XN6MLM0E9KSRD4ZJRYWCD9DAL3FRCPQ20ZJ3F"
        return (try? SecretBytes(copying: Array(text.utf8))).flatMap { try? AgeIdentity($0) }
    }()

    static func envelope(_ bytes: [UInt8]) {
        guard let identity else { return FuzzRun.require(false, "the identity is one") }
        _ = try? AgeEnvelope.open(String(decoding: bytes, as: UTF8.self), with: identity)
        // The same without the armor, which hides the header from mutations.
        _ = try? AgeEnvelope.open(AgeArmor.encode(bytes), with: identity)
        FuzzRun.require(
            AgeArmor.decode(AgeArmor.encode(bytes)) == bytes || bytes.isEmpty, "armor is taken off")
    }

    static func texts(_ bytes: [UInt8]) {
        guard let text = try? SecretBytes(copying: bytes) else { return }
        if let identity = try? AgeIdentity(text) {
            FuzzRun.require(identity.recipient.hasPrefix("age1"), "an identity has a recipient")
        }
        if let phrase = try? RecoveryPhrase(text) {
            FuzzRun.require(phrase.text.bytes.equals(text), "a phrase stays as it is")
        }
        _ = ObjectName(String(decoding: bytes, as: UTF8.self))
    }
}
