import ValiseConcurrency
import ValiseKeys
import ValiseSecrets

/// What the user should know of a passphrase before it is set.
package enum NewPassphraseNote: OperationNote {
    /// SQLCipher takes it for a key.
    case looksLikeRawKey
    /// The official programs cannot be given it.
    case notUTF8

    package var text: String {
        switch self {
        case .looksLikeRawKey:
            "warning: this passphrase has the form of a raw key, x'…'. SQLCipher uses its digits directly as the "
                + "key, without key derivation."
        case .notUTF8:
            "warning: this passphrase is not valid UTF-8, and the official apps do not accept it"
        }
    }
}

extension OperationContext {
    /// Refuses a new passphrase that is weak or that nobody can type, and tells what is unusual about it. The empty one is none,
    /// and a raw key has all its bits.
    /// - Throws: ``OperationError``: `invalid`.
    func accept(new passphrase: SharedSecret, evenIfWeak: Bool) throws {
        if !evenIfWeak, let obstacle = obstacle(toTyping: passphrase) {
            throw OperationError(
                .invalid, "the new passphrase \(obstacle). Nothing was changed.", need: .strongPassphrase)
        }
        if !evenIfWeak, try Self.isWeak(passphrase.bytes) {
            throw OperationError(
                .invalid, "the new passphrase is too easy to guess. Nothing was changed.",
                need: .strongPassphrase)
        }
        note(new: passphrase)
    }

    /// Whether consent is needed for a new passphrase.
    /// - Throws: `SecretsError` where it cannot be judged.
    package static func isWeak(_ passphrase: borrowing SecretBytes) throws -> Bool {
        try !passphrase.isEmpty && !passphrase.looksLikeRawKey() && PassphraseStrength(of: passphrase).isWeak
    }

    /// Why an app cannot be given it; nil for nothing. A line break at the end of a file is not part of the passphrase.
    private func obstacle(toTyping passphrase: SharedSecret) -> String? {
        if unsafe !passphrase.bytes.withBytes({ unsafe isValidUTF8($0) }) {
            return "is not valid UTF-8, and the official apps do not accept it"
        }
        let hasLineBreak = unsafe passphrase.bytes.withBytes { bytes in
            unsafe bytes.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        }
        return hasLineBreak ? "has more than one line, and is hard to type" : nil
    }

    private func note(new passphrase: SharedSecret) {
        if passphrase.bytes.looksLikeRawKey() { note(NewPassphraseNote.looksLikeRawKey) }
        if unsafe !passphrase.bytes.withBytes({ unsafe isValidUTF8($0) }) { note(NewPassphraseNote.notUTF8) }
    }

    /// Whether bytes are text. None of them is copied.
    func isValidUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var decoder = UTF8()
        var iterator = unsafe bytes.makeIterator()
        while true {
            switch unsafe decoder.decode(&iterator) {
            case .scalarValue: continue
            case .emptyInput: return true
            case .error: return false
            }
        }
    }
}
