import ValiseCryptography
import ValiseSecrets
import ValiseSessionStore

/// The keys of a story's account, from the 16 bytes that its recovery password stands for.
package struct StoryKeys {
    /// Of Ed25519: 64 bytes, as the app keeps it.
    package let secretKey: [UInt8]
    package let ownID: String
    package let words: String

    package init(_ entropy: [UInt8]) {
        do {
            let bytes = try SecretBytes(copying: entropy)
            let password = try RecoveryPassword(entropy: SharedSecret(bytes))
            let account = try password.account()
            secretKey = entropy + [UInt8](repeating: 0, count: 16) + account.signingKey
            ownID = account.id.description
            words = try password.words().bytes.withBytes { String(decoding: $0, as: UTF8.self) }
        } catch {
            fatalError("no keys of 16 bytes: \(error)")
        }
    }
}
