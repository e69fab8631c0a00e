import ArgumentParser
import Valise

struct KeyList: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the accounts whose passphrases are stored, never the passphrases.",
        discussion: """
            An account that is not at its place any more was moved or removed: store its passphrase again, \
            and forget this one. Where a store fails, the others are listed, and the exit status is 3.
            """)

    @Option(help: ArgumentHelp("Only this store: \(KeyStoreChoice.list).", valueName: "store"))
    var store: KeyStoreChoice?

    @Flag(help: "Never ask, not even to unlock a keyring.")
    var noInput = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        var result = Result()
        for store in try KeyStores.ofUser(noInput: noInput).stores(store) {
            do {
                result.keys += try store.list().map { Entry($0, store.name) }
            } catch let error as KeyStorageError {
                if self.store != nil { throw error }
                if error.kind != .unavailable {
                    result.failures.append(FailureJSON(error, ExitStatus(error.code)))
                    if !output.json { CommandLineMain.report(error) }
                }
            }
        }
        try output.print(result) { text(result) }
        if !result.failures.isEmpty { throw ExitStatusError(status: .entryErrors) }
    }

    private func text(_ result: Result) -> String {
        if result.keys.isEmpty { return result.failures.isEmpty ? "no passphrase is stored" : "" }
        return result.keys.map { entry in
            "\(entry.account)  \(entry.store)\(entry.isThere ? "" : "  (no account there)")".withoutControls
        }.joined(separator: "\n")
    }

    private struct Entry: Encodable {
        let account: String
        let directory: String
        let prefix: String
        let store: String
        let isThere: Bool

        init(_ owner: KeyOwner, _ store: String) {
            account = owner.name
            directory = owner.directory.string
            prefix = owner.prefix
            self.store = store
            isThere = (try? AccountLocation.find(owner.directory, prefix: owner.prefix)) != nil
        }
    }

    private struct Result: Encodable {
        let type = "keyList"
        var keys: [Entry] = []
        var failures: [FailureJSON] = []
    }
}
