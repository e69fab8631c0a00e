import ArgumentParser
import Valise

struct KeyForget: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Remove the passphrase of an account from the key stores.",
        discussion: """
            The account itself need not be there any more: give the folder as 'valise key list' shows it, \
            folder and prefix in one. Without --store, every store of this session is looked into.
            """)

    @OptionGroup var account: AccountOptions

    @Option(help: ArgumentHelp("From where only: \(KeyStoreChoice.list).", valueName: "store"))
    var store: KeyStoreChoice?

    @Flag(help: "Never ask, not even to unlock a keyring.")
    var noInput = false

    @Flag(help: "Only tell which stores have it.")
    var dryRun = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let owner = try owner()
        var found: [String] = []
        var failure: (any Error)?
        for store in try KeyStores.ofUser(noInput: noInput).stores(store) {
            do {
                let had = dryRun ? try store.list().contains(owner) : try store.forget(owner)
                if had { found.append(store.name) }
            } catch let error as KeyStorageError where error.kind == .unavailable && self.store == nil {
                continue
            } catch {
                // The others are still to be cleared.
                failure = failure ?? error
            }
        }
        if !found.isEmpty || failure == nil { try report(owner, found) }
        if let failure { throw failure }
    }

    /// An account that is there, or the place where one was.
    private func owner() throws -> KeyOwner {
        do {
            return try KeyOwner(try account.find())
        } catch let error as any Failure where error.code == .notFound {
            let path = FilePath(account.directory)
            if let prefix = account.prefix { return try KeyOwner(directory: path, prefix: prefix) }
            let whole = try KeyOwner(directory: path, prefix: AccountLocation.usualPrefix)
            // As the list shows it: folder and prefix in one.
            guard let name = path.lastComponent?.string else { return whole }
            let split = try KeyOwner(directory: path.removingLastComponent(), prefix: name)
            return try isStored(split) ? split : whole
        }
    }

    private func isStored(_ owner: KeyOwner) throws -> Bool {
        try KeyStores.ofUser(noInput: noInput).stores(store).contains { store in
            // A store that fails says so when it is asked to forget.
            (try? store.list().contains(owner)) ?? false
        }
    }

    private func report(_ owner: KeyOwner, _ found: [String]) throws {
        guard !found.isEmpty else {
            throw CommandError(
                .notFound, "no key store has a passphrase of this account", subject: owner.name)
        }
        let stores = found.map { "'\($0)'" }.joined(separator: ", ")
        try output.print(Result(account: owner.name, stores: found, dryRun: dryRun)) {
            dryRun
                ? "would remove the passphrase of \(owner.name) from \(stores)"
                : "removed the passphrase of \(owner.name) from \(stores)"
        }
    }

    private struct Result: Encodable {
        let type = "keyForgotten"
        let account: String
        let stores: [String]
        let dryRun: Bool
    }
}
