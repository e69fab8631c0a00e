import SystemPackage
import ValiseAccounts
import ValiseFailures
import ValiseKeys
import ValiseSecrets

/// Where an act has its passphrase from, so that a later run finds it again: never the passphrase itself.
struct JobPassphrase: Codable, Sendable, Equatable {
    private let file: JobPath?
    /// Whether stores may be asked.
    private let usesStores: Bool
    /// The only store to ask, as on the command line; nil for all.
    private let store: String?
    /// Whether there was one at all: some acts do without.
    private let isWanted: Bool

    /// - Parameter isWanted: whether the act runs with a passphrase.
    init(_ options: PassphraseOptions, isWanted: Bool) {
        file = options.source.passphraseFile.map { JobPath(FilePath($0)) }
        usesStores = !options.noKeyStore
        store = options.keyStore?.defaultValueDescription
        self.isWanted = isWanted
    }

    /// The passphrase of a job that goes on: from its file, a key store, or the person who is there.
    ///
    /// - Parameter name: of what it opens, for questions.
    /// - Returns: nil for an act without.
    /// - Throws: ``PersonNeeded`` where none of them has it.
    func key(for location: AccountLocation, _ name: String, _ person: JobPerson?) throws -> SecretBytes? {
        guard isWanted else { return nil }
        if let given = try person?.passphrase.given() { return given }
        do {
            if let file { return try fromFile(file) }
            if let stored = try fromStore(location) { return stored }
        } catch let error as any Failure where error.code != .interrupted {
            guard let person, person.passphrase.canAsk else { throw Self.needed(name, cause: error) }
        }
        guard let person, person.passphrase.canAsk else { throw Self.needed(name) }
        return try person.passphrase.source.ask(for: name)
    }

    private func fromFile(_ file: JobPath) throws -> SecretBytes? {
        try PassphraseSourceOptions.source(file: file.path.string, command: nil, descriptor: nil)?.read()
    }

    private func fromStore(_ location: AccountLocation) throws -> SecretBytes? {
        guard usesStores else { return nil }
        let choice = store.flatMap { KeyStoreChoice(argument: $0) }
        return try KeyStoreChoice.search(choice, noInput: true).lookup(KeyOwner(location))?.take()
    }

    /// What is needed where the passphrase is missing or does not fit.
    static func needed(_ name: String, cause: (any Error)? = nil) -> PersonNeeded {
        PersonNeeded(
            "the passphrase of \(name) is needed: 'valise jobs resume {job}' asks for it", cause: cause)
    }
}
