import SystemPackage
import ValiseSecrets
import ValiseSessionStore

/// What opens a store of Session.
enum SessionSecret: Sendable {
    /// A password, or the digits of a key.
    case typed(SharedSecret)
    /// The key of a phone's database, read from a file.
    case key(PhoneKey)

    /// What a store needs.
    enum Needs: Sendable {
        case nothing, password, key

        /// What the user is asked for.
        var wanted: PassphraseRequest.Wanted { self == .key ? .databaseKey : .sessionPassword }
    }

    /// - Throws: `SessionStoreError`: `damaged`; `FileError`.
    static func needs(of place: SessionPlace) throws -> Needs {
        switch place {
        case .desktop(let profile): try profile.asksForPassword() ? .password : .nothing
        case .phone(let container): try container.hasIncludedKey() ? .password : .key
        case .backup: .password
        }
    }

    /// What is given; nil for nothing. A file with the key of a phone's database is read as it is: a line break at its end may
    /// belong to the key.
    init?(_ source: PassphraseSource, for place: SessionPlace) async throws {
        if case .phone = place, case .file(let path)? = source.given,
            let key = try? await BlockingExecutor.shared.run({ try PhoneKey(reading: path) })
        {
            self = .key(key)
        } else if let given = try await source.read() {
            self = .typed(given)
        } else {
            return nil
        }
    }

    /// The key of a phone's database.
    /// - Throws: `SessionStoreError`: `invalid`, `wrongKey`, `damaged`; `FileError`; `SecretsError`.
    func key(of container: PhoneContainer) throws -> PhoneKey {
        switch self {
        case .key(let key): return key
        case .typed(let text):
            let name = container.folder.string
            guard try container.hasIncludedKey() else { return try PhoneKey(digits: text.bytes, of: name) }
            // Whoever has the key needs no password.
            if let key = try? PhoneKey(digits: text.bytes, of: name) { return key }
            guard let key = try container.includedKey(password: text.bytes) else {
                throw SessionStoreError(.missing, "the folder contains no key of its database", name)
            }
            return key
        }
    }
}
