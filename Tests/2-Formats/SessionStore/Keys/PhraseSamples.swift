import Foundation
import ValiseSecrets

@testable import ValiseSessionStore

/// Words of tests, which are no secrets.
enum PhraseSamples {
    static func text(_ secret: borrowing SecretBytes) -> String {
        secret.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    static func read(
        _ text: String, in language: RecoveryLanguage? = nil
    ) throws -> RecoveryPassword.Reading {
        try RecoveryPassword.read(SecretBytes(copying: Array(text.utf8)), in: language)
    }

    /// The problem that is found; nil where there is none.
    static func problem(
        _ text: String, in language: RecoveryLanguage? = nil
    ) throws -> RecoveryPasswordError.Problem? {
        do {
            _ = try read(text, in: language)
            return nil
        } catch let error as RecoveryPasswordError {
            return error.problem
        }
    }

    /// With the marks behind their letters, as some keyboards and file systems have them.
    static func decomposed(_ text: String) -> String { text.decomposedStringWithCanonicalMapping }
}
