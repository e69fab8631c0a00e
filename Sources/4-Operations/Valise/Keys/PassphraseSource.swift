public import SystemPackage
package import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
package import ValiseKeys
import ValisePages
public import ValiseSecrets

/// Where the passphrase of an account comes from: the caller, else a key store, else a prompt.
public struct PassphraseSource: Sendable {
    /// A passphrase, or where it is read from.
    public enum Given: Sendable {
        /// The passphrase itself.
        case secret(SharedSecret)
        /// A file, without the line break at its end.
        case file(FilePath)
        /// A command for `/bin/sh`, which prints it.
        case command(String)
        /// A descriptor that is open and stays so.
        case descriptor(FileDescriptor)
    }

    /// Before all others.
    package var given: Given?
    /// Whether key stores may be used.
    public var usesKeyStores = true
    /// The key store to use; nil for all.
    public var keyStore: KeyStoreChoice?
    /// Whether a keyring may show a dialog.
    public var mayPrompt = true

    /// - Parameter given: the passphrase or its source; nil for the key stores and the user.
    public init(_ given: Given? = nil) { self.given = given }

    /// A known passphrase.
    public static func secret(_ secret: SharedSecret) -> PassphraseSource {
        PassphraseSource(.secret(secret))
    }

    /// The passphrase in a file.
    public static func file(_ path: FilePath) -> PassphraseSource { PassphraseSource(.file(path)) }
}

extension PassphraseSource.Given {
    /// The first that is there of a file, a command and a descriptor; nil for none.
    package init?(file: String?, command: String?, descriptor: Int32?) {
        if let file {
            self = .file(FilePath(file))
        } else if let command {
            self = .command(command)
        } else if let descriptor {
            self = .descriptor(FileDescriptor(rawValue: descriptor))
        } else {
            return nil
        }
    }

    /// Reads it, which may block.
    /// - Parameter what: what failures call it.
    func read(_ what: String = "passphrase") throws -> SharedSecret {
        return switch self {
        case .secret(let secret): secret
        case .file(let path):
            SharedSecret(try FileKeySource(path, what: what, checkpoint: Interruption.checkTask).read())
        case .command(let command):
            SharedSecret(try CommandKeySource(command, what: what, checkpoint: Interruption.checkTask).read())
        case .descriptor(let descriptor):
            SharedSecret(
                try DescriptorKeySource(
                    descriptor, name: "file descriptor \(descriptor.rawValue)", what: what,
                    checkpoint: Interruption.checkTask
                ).read())
        }
    }
}

// MARK: For operations

extension PassphraseSource {
    /// What the passphrase of an account is for.
    enum Purpose {
        /// To read the account, also while it is in use.
        case reading
        /// To change the account, which is refused while it is in use: before the user is asked.
        case changing
        /// To look at what is wrong, with these encryption settings where the databases do not record them. A wrong answer may
        /// be typed again; the last one counts, because damage may make a right one look wrong.
        case examining(CipherHint?)
        /// For an account that is not there yet: no answer is tried.
        case untried
    }

    /// The passphrase of an account that exists; the empty one where no database is encrypted.
    ///
    /// - Parameters:
    ///   - purpose: what it is for.
    ///   - assumingEncrypted: also where the headers are unencrypted.
    func passphrase(
        of location: AccountLocation, for purpose: Purpose = .reading, assumingEncrypted: Bool = false,
        in context: OperationContext
    ) async throws -> SharedSecret {
        guard try assumingEncrypted || AccountReader(asItIs: location).asksForPassphrase() else {
            return SharedSecret(try SecretBytes.empty())
        }
        return try await existing(of: location, for: purpose, in: context)
    }

    /// The passphrase of an account, encrypted or not.
    func existing(
        of location: AccountLocation, for purpose: Purpose = .reading, in context: OperationContext
    ) async throws -> SharedSecret {
        if let given = try await read() { return given }
        if let stored = try await stored(of: location, in: context) { return stored }
        let name = location.directory.string
        switch purpose {
        case .untried: return try await context.passphrase(PassphraseRequest(of: name))
        case .examining(let hint):
            return try await context.passphrase(
                of: name, opening: AccountReader(asItIs: location), hint: hint)
        case .reading: break
        case .changing:
            try await context.blocking { _ in
                _ = try AccountWriter.lockForPlan(location, fileSystem: FileSystem())
            }
        }
        return try await context.passphrase(of: name, opening: AccountReader(asItIs: location))
    }

    /// The one that is given or that the user types: key stores are not asked.
    func typed(of location: AccountLocation, in context: OperationContext) async throws -> SharedSecret {
        var source = self
        source.usesKeyStores = false
        return try await source.existing(of: location, in: context)
    }

    /// The one that is given or that a key store has, for what can be done without: nobody is asked, and nil is none. A store
    /// that fails is told of, and is a failure only where it was chosen.
    func known(of location: AccountLocation, in context: OperationContext) async throws -> SharedSecret? {
        if let given = try await read() { return given }
        guard try AccountReader(asItIs: location).asksForPassphrase() else { return nil }
        do {
            return try await stored(of: location, in: context)
        } catch let error as KeyStorageError where keyStore == nil && error.code != .interrupted {
            context.note(PassphraseNote.doneWithout(error))
            return nil
        }
    }

    /// What is given; nil for nothing. It remembers the keys that are derived from it, as each passphrase of an operation does.
    package func read() async throws -> SharedSecret? {
        guard let given else { return nil }
        return try await BlockingExecutor.shared.run { try given.read().rememberingKeys() }
    }

    /// The stored passphrase; nil when there is none.
    /// - Throws: `KeyStorageError` when a store fails: then nobody is asked for another one.
    func stored(of location: AccountLocation, in context: OperationContext) async throws -> SharedSecret? {
        guard usesKeyStores else { return nil }
        return try await BlockingExecutor.shared.run {
            let search = try KeyStores(context.folders, mayPrompt: mayPrompt).search(keyStore)
            guard let found = try search.lookup(KeyOwner(location)) else { return nil }
            context.note(PassphraseNote.stored(found.store, of: location))
            return try SharedSecret(found.take()).rememberingKeys()
        }
    }
}

extension OperationContext {
    /// Asks for a passphrase.
    /// - Throws: ``OperationError``: `invalid` where nobody can be asked; whatever the question throws.
    func passphrase(_ request: PassphraseRequest) async throws -> SharedSecret {
        if let answer = try await questions.passphrase(request) { return try answer.rememberingKeys() }
        throw OperationError.nobodyToAsk(for: request.name)
    }
}

/// What is told of a passphrase.
package enum PassphraseNote: OperationNote {
    /// It comes from the key store of this name, which has it for the account.
    case stored(String, of: AccountLocation)
    /// A key store failed, and the operation goes on without a passphrase.
    case doneWithout(any Error)

    package var text: String {
        switch self {
        case .stored(let store, _): "using the passphrase from key store '\(store)'"
        case .doneWithout(let error): "continuing without a passphrase: \(error)"
        }
    }
}

extension KeyOwner {
    /// Whose passphrase an account's is.
    package init(_ location: AccountLocation) throws {
        try self.init(directory: location.directory, prefix: location.prefix)
    }
}
