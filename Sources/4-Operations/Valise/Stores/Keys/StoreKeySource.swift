package import SystemPackage
import ValiseContentStore
import ValiseFailures
import ValiseSecrets

/// Where the keys of a store come from. The programs of tcfs derive different keys from the same words: nothing is guessed.
package struct StoreKeySource: Sendable {
    /// What the master key is made of.
    package enum Master: Sendable {
        /// A file of 32 bytes or 64 hexadecimal digits, as tcfs keeps it.
        case file(FilePath)
        /// A passphrase and the salt that was configured; nil where the user is asked for it.
        case passphrase(PassphraseSource.Given?, Salt)
        /// 24 words; nil where the user is asked for them.
        case recoveryPhrase(PassphraseSource.Given?)
    }

    /// A salt of a passphrase, as it is configured.
    package enum Salt: Sendable, Hashable {
        /// 32 hexadecimal digits, as the command line of tcfs reads it.
        case hex(String)
        /// Any text, of which the first 16 bytes count, as the apps of tcfs read it.
        case text(String)

        var form: SaltForm {
            switch self {
            case .hex(let digits): .hex(digits)
            case .text(let text): .text(text)
            }
        }
    }

    /// Nil for a store that is not encrypted, or whose files are encrypted for devices.
    package var master: Master?
    /// A file with the private key of a device, as `age-keygen` writes it.
    package var identity: FilePath?
    /// Which device the identity belongs to; nil to try all wrapped keys.
    package var identityDevice: String?

    package init(_ master: Master? = nil) { self.master = master }

    /// Reads the keys, or asks for them.
    /// - Parameter name: of the store, for who is asked.
    /// - Throws: `ContentStoreError`: `invalid` for what is no key, no salt or no phrase; `FileError`; `SecretsError`;
    ///   ``OperationError``: `invalid` where nobody can be asked.
    func read(of name: String, in context: OperationContext) async throws -> StoreKeys {
        let master = try await masterKey(name, context)
        return try await context.blocking { _ in
            StoreKeys(
                master: master, identity: try identity.map { try AgeIdentity.read($0) },
                device: identityDevice)
        }
    }

    private func masterKey(_ name: String, _ context: OperationContext) async throws -> StoreKey? {
        switch master {
        case nil: return nil
        case .file(let path): return try await context.blocking { _ in try StoreKey.read(path) }
        case .passphrase(let given, let salt):
            // What is wrong with it is known before anybody types anything.
            _ = try salt.form.bytes()
            let secret = try await Self.secret(given, name, .storePassphrase, context)
            return try await context.blocking { _ in
                try StoreKey.derived(passphrase: secret.bytes, salt: salt.form)
            }
        case .recoveryPhrase(let given):
            let secret = try await Self.secret(given, name, .recoveryPhrase, context)
            return try await context.blocking { _ in
                try StoreKey.derived(phrase: RecoveryPhrase(secret.bytes))
            }
        }
    }

    /// Given, or typed.
    static func secret(
        _ given: PassphraseSource.Given?, _ name: String, _ wanted: PassphraseRequest.Wanted,
        _ context: OperationContext
    ) async throws -> SharedSecret {
        if let given {
            return try await context.blocking { _ in
                try given.read(wanted == .recoveryPhrase ? "recovery phrase" : "passphrase")
            }
        }
        guard let typed = try await context.questions.passphrase(PassphraseRequest(of: name, wanted: wanted))
        else { throw OperationError.nobodyToAsk(for: name) }
        return typed
    }
}

extension StoreKeySource {
    /// What the variables of the environment say.
    /// - Throws: ``OperationError``: `invalid` for a passphrase whose salt is not known.
    package init(variable: (String) -> String?) throws {
        let hex = variable("VALISE_STORE_SALT_HEX").map { Salt.hex($0) }
        let text = variable("VALISE_STORE_SALT_TEXT").map { Salt.text($0) }
        let passphrase = PassphraseSource.Given(
            file: variable("VALISE_STORE_PASSPHRASE_FILE"), command: nil, descriptor: nil)
        if let file = variable("VALISE_STORE_KEY_FILE") {
            self.init(.file(FilePath(file)))
        } else if let passphrase {
            guard let salt = hex ?? text, hex == nil || text == nil else {
                throw OperationError(
                    .invalid, "the key of a store needs one salt with its passphrase", need: .saltOfStore)
            }
            self.init(.passphrase(passphrase, salt))
        } else {
            self.init()
        }
        identity = variable("VALISE_STORE_IDENTITY").map { FilePath($0) }
    }
}
