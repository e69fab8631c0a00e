import ValiseAccounts
import ValiseFailures
import ValiseSecrets

/// Where an operation has its passphrase from, so that a later run finds it again: never the passphrase itself.
struct JobPassphrase: Codable, Sendable, Equatable {
    private let file: JobPath?
    /// Whether stores may be asked.
    private let usesStores: Bool
    /// The name of the only store to ask; nil for all.
    private let store: String?
    /// Whether there was one at all: some operations do without.
    private let isWanted: Bool

    /// - Parameter isWanted: whether the operation runs with a passphrase.
    init(_ source: PassphraseSource, isWanted: Bool) {
        file = if case .file(let path)? = source.given { JobPath(path) } else { nil }
        usesStores = source.usesKeyStores
        store = source.keyStore?.name
        self.isWanted = isWanted
    }

    /// Whether the user may be asked for it: it is in no file, and key stores may not have it.
    var mayBeAskedFor: Bool { isWanted && file == nil }

    /// The passphrase of a job that is resumed: from what the user gives now, its file, a key store, or the user's answer.
    ///
    /// - Parameter name: of what it opens, for questions.
    /// - Returns: nil for an operation without.
    /// - Throws: ``UserNeeded`` where none of them has it.
    func key(
        of location: AccountLocation, _ name: String, _ context: ResumptionContext
    ) async throws -> SharedSecret? {
        guard isWanted else { return nil }
        if let given = try await context.user?.passphrase.read() { return given }
        var cause: (any Error)?
        do {
            if let found = try await written(location, context) { return found }
        } catch let error as any Failure where error.code != .interrupted {
            cause = error
        }
        if let answer = try await context.operation.questions.passphrase(PassphraseRequest(of: name)) {
            return try answer.rememberingKeys()
        }
        throw UserNeeded(.passphrase(of: name, cause: cause))
    }

    /// From where it was when the operation was asked for.
    private func written(
        _ location: AccountLocation, _ context: ResumptionContext
    ) async throws -> SharedSecret? {
        if let file { return try await PassphraseSource.file(file.path).read() }
        var source = PassphraseSource()
        (source.usesKeyStores, source.mayPrompt) = (usesStores, false)
        source.keyStore = store.flatMap { KeyStoreChoice(name: $0) }
        return try await source.stored(of: location, in: context.operation)
    }
}
