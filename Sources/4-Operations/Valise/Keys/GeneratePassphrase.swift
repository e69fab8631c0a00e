public import SystemPackage
public import ValiseAccounts
import ValiseFiles
import ValiseKeys
public import ValiseSecrets

/// Generates a random passphrase as the official apps do: 32 bytes in base64.
public struct GeneratePassphrase: Operation {
    /// Where it goes.
    public enum Destination: Sendable {
        /// Only the report.
        case report
        /// A file that only its owner can read.
        case file(FilePath)
        /// A key store, for an account to be created at this location.
        case keyStore(KeyStoreChoice, for: AccountLocation)
    }

    package var destination: Destination
    /// Whether a generated passphrase in the file, or the one in the key store, is replaced.
    package var replaces: Bool
    /// Whether a keyring may show a dialog.
    package var mayPrompt = true

    /// - Parameters:
    ///   - destination: where the passphrase goes.
    ///   - replaces: whether a generated passphrase in the file, or the one in the key store, is replaced.
    public init(_ destination: Destination = .report, replaces: Bool = false) {
        self.destination = destination
        self.replaces = replaces
    }

    public func plan(in context: OperationContext) async throws -> PlannedFiles {
        try await context.blocking { _ in
            var plan = PlannedFiles()
            switch destination {
            case .report: break
            case .file(let path):
                try SecretFile(path, replaces: replaces, .generatedPassphrase).check()
                try plan.write([path])
            case .keyStore(let choice, for: let location):
                _ = try owner(
                    of: location, in: KeyStores(context.folders, mayPrompt: mayPrompt).store(choice))
            }
            return plan
        }
    }

    public func run(in context: OperationContext) async throws -> GeneratedPassphrase {
        try await context.blocking { _ in
            let passphrase = SharedSecret(try SecretBytes.generatedPassphrase())
            switch destination {
            case .report: return GeneratedPassphrase(passphrase: passphrase)
            case .file(let path):
                try SecretFile(path, replaces: replaces, .generatedPassphrase)
                    .write(passphrase.bytes, endsLine: true)
                return GeneratedPassphrase(passphrase: passphrase, file: path.string)
            case .keyStore(let choice, for: let location):
                return try keep(
                    passphrase, location, KeyStores(context.folders, mayPrompt: mayPrompt).store(choice))
            }
        }
    }

    /// - Throws: ``OperationError``: `alreadyExists` where an account is there, or a passphrase that is not replaced.
    private func owner(of location: AccountLocation, in store: any KeyStore) throws -> KeyOwner {
        let account = AccountReader(asItIs: location)
        guard try AccountDatabase.allCases.allSatisfy({ try account.form(of: $0) == .missing }) else {
            throw OperationError(
                .alreadyExists, "an account already exists here; a new passphrase would not open it",
                subject: location.directory.string)
        }
        let owner = try KeyOwner(location)
        if !replaces, try store.lookup(owner) != nil {
            throw OperationError(
                .alreadyExists, "key store '\(store.name)' already has a passphrase", subject: owner.name,
                need: .replacing)
        }
        return owner
    }

    private func keep(
        _ passphrase: SharedSecret, _ location: AccountLocation, _ store: any KeyStore
    ) throws -> GeneratedPassphrase {
        let owner = try owner(of: location, in: store)
        try store.store(passphrase.bytes, for: owner)
        return GeneratedPassphrase(passphrase: passphrase, store: store.name, account: owner.name)
    }
}

/// A generated passphrase. It is never part of a JSON document.
public struct GeneratedPassphrase: OperationReport {
    package let type = "keyGenerated"
    /// The passphrase.
    public let passphrase: SharedSecret
    /// The file that it was written to.
    package private(set) var file: String?
    /// The key store that has it.
    public private(set) var store: String?
    /// Whose it is there.
    package private(set) var account: String?

    private enum CodingKeys: CodingKey { case type, file, store, account }
}
