import CValiseZxcvbn
import ValiseFailures
package import ValiseSecrets

/// How hard a passphrase is to guess, by zxcvbn: words, names, dates, sequences and keyboard patterns count little.
package struct PassphraseStrength: Sendable, Equatable {
    /// The logarithm of the number of guesses, to base 2.
    package let bits: Double

    /// Below it, whoever has the databases finds the passphrase: zxcvbn's highest score begins at ten thousand million guesses,
    /// and one graphics card tries some thousands a second of what SQLCipher derives (256,000 rounds of PBKDF2-HMAC-SHA512),
    /// which is weeks.
    package static let leastBits = 33.2

    /// Judges what comes before a zero byte, which no keyboard types.
    /// - Parameter passphrase: a raw key is as strong as one can be, whatever its digits look like.
    /// - Throws: `SecretsError` where it cannot be judged, because no process is available.
    package init(of passphrase: borrowing SecretBytes) throws {
        bits = unsafe passphrase.withTerminatedBytes { unsafe valise_passphrase_bits($0) }
        guard bits >= 0 else {
            throw SecretsError(.failed, "cannot judge the passphrase: no process available")
        }
    }

    /// Whether consent is needed to use it.
    package var isWeak: Bool { bits < Self.leastBits }
}
