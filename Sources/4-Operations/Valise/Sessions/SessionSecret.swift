import SystemPackage
import ValiseConcurrency
import ValiseFiles
import ValiseKeys
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

    /// - Throws: `FileError`.
    static func needs(of place: SessionPlace) throws -> Needs {
        switch place {
        case .desktop(let profile): try needs(of: profile)
        case .phone(let container): try container.hasIncludedKey() ? .password : .key
        case .backup: .password
        }
    }

    /// Without its configuration, a profile may have a password, which is enough then.
    private static func needs(of profile: DesktopProfile) throws -> Needs {
        do {
            return try profile.asksForPassword() ? .password : .nothing
        } catch let error as SessionStoreError where error.kind == .missing || error.kind == .damaged {
            return .password
        }
    }

    /// What is given; nil for nothing. A file with the key of a phone's database is read as it is: a line break at its end may
    /// belong to the key.
    init?(_ source: PassphraseSource, for place: SessionPlace) async throws {
        if case .phone = place, case .file(let path)? = source.given,
            let key = try await BlockingExecutor.shared.run({ try Self.key(in: path) })
        {
            self = .key(key)
        } else if let given = try await source.read() {
            self = .typed(given)
        } else {
            return nil
        }
    }

    /// Nil for a file with something else.
    private static func key(in path: FilePath) throws -> PhoneKey? {
        let fileSystem = FileSystem()
        guard try fileSystem.attributes(of: fileSystem.resolve(path))?.kind == .regular else { return nil }
        try fileSystem.openForReading(path).withDescriptor {
            try FileKeySource.checkPrivate(FileDescriptor(rawValue: $0), path, what: "key")
        }
        do {
            return try PhoneKey(reading: path)
        } catch let error as SessionStoreError where error.kind == .invalid {
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
