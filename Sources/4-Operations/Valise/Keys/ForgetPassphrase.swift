public import SystemPackage
import ValiseAccounts
import ValiseFailures
import ValiseKeys

/// Removes the passphrase of an account from the key stores; the only stored copy after
/// ``Question/forgetOnlyPassphrase(of:)``.
public struct ForgetPassphrase: Operation {
    /// The folder of the account, which need not be there any more, or folder and prefix in one.
    package var directory: FilePath
    package var prefix: String?
    /// The key store to use; nil for all of this session.
    public var keyStore: KeyStoreChoice?
    /// Whether a keyring may show a dialog.
    package var mayPrompt = true

    /// - Parameters:
    ///   - directory: the account folder, which need not exist any longer.
    ///   - prefix: the prefix of its database names; nil for the default.
    public init(of directory: FilePath, prefix: String? = nil) {
        self.directory = directory
        self.prefix = prefix
    }

    /// The key stores that have it.
    public func plan(in context: OperationContext) async throws -> ForgottenPassphrase {
        try await context.blocking { _ in try forget(context, isPlan: true).report }
    }

    public func run(in context: OperationContext) async throws -> ForgottenPassphrase {
        // A look at the key stores may need a keyring's dialog.
        let isAgreed = try context.questions.areSettled(before: .forgetOnlyPassphrase(of: directory))
        if !isAgreed, let only = try await context.blocking({ _ in try onlyCopy(context) }) {
            try await context.questions.require(
                .forgetOnlyPassphrase(of: only.directory),
                unasked: .unasked("removing the only stored copy of a passphrase", subject: only.name))
        }
        return try await context.blocking { _ in try forget(context, isPlan: false).report }
    }

    /// Whose only stored copy would be removed; nil where another key store of this session keeps it. One that cannot be read is
    /// not known to keep it.
    private func onlyCopy(_ context: OperationContext) throws -> KeyOwner? {
        let (owner, planned) = try forget(context, isPlan: true)
        guard keyStore != nil else { return owner }
        let others = try KeyStores(context.folders, mayPrompt: mayPrompt).stores(nil).filter {
            !planned.stores.contains($0.name)
        }
        for store in others {
            do {
                if try store.list().contains(owner) { return nil }
            } catch is KeyStorageError {
                continue
            }
        }
        return owner
    }

    private func forget(
        _ context: OperationContext, isPlan: Bool
    ) throws -> (owner: KeyOwner, report: ForgottenPassphrase) {
        let stores = try KeyStores(context.folders, mayPrompt: mayPrompt).stores(keyStore)
        let owner = try owner(stores)
        var found: [String] = []
        var failure: (any Error)?
        for store in stores {
            do {
                let had = isPlan ? try store.list().contains(owner) : try store.forget(owner)
                if had { found.append(store.name) }
            } catch let error as KeyStorageError where error.kind == .unavailable && keyStore == nil {
                continue
            } catch {
                // The others are still to be cleared.
                failure = failure ?? error
            }
        }
        guard !found.isEmpty else {
            throw failure
                ?? OperationError(
                    .notFound, "no key store has a passphrase for this account", subject: owner.name)
        }
        return (
            owner, ForgottenPassphrase(account: owner.name, stores: found, dryRun: isPlan, failure: failure)
        )
    }

    /// An account that is there, or the place where one was.
    private func owner(_ stores: [any KeyStore]) throws -> KeyOwner {
        do {
            return try KeyOwner(try AccountLocation.find(directory, prefix: prefix))
        } catch let error as any Failure where error.code == .notFound {
            if let prefix { return try KeyOwner(directory: directory, prefix: prefix) }
            let whole = try KeyOwner(directory: directory, prefix: AccountLocation.usualPrefix)
            // As the list shows it: folder and prefix in one.
            guard let name = directory.lastComponent?.string else { return whole }
            let split = try KeyOwner(directory: directory.removingLastComponent(), prefix: name)
            // A store that fails says so when it is asked to forget.
            return stores.contains { (try? $0.list().contains(split)) ?? false } ? split : whole
        }
    }
}

/// A passphrase that was removed from key stores, or would be.
public struct ForgottenPassphrase: OperationReport {
    package let type = "keyForgotten"
    /// Folder and prefix in one, as the stores keep it.
    package let account: String
    /// The key stores that had it.
    public let stores: [String]
    package let dryRun: Bool
    /// What went wrong with another store, which may still have it.
    package let failure: (any Error)?

    private enum CodingKeys: CodingKey { case type, account, stores, dryRun }
}
