import ArgumentParser
import Valise

struct KeyList: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the accounts whose passphrases are stored.",
        discussion: """
            Passphrases are never shown. A missing account was moved or removed: store its passphrase again, and \
            forget this entry. If a key store fails, the others are still listed, and the exit status is 3.
            """)

    @Option(help: ArgumentHelp("List this key store only: \(KeyStoreChoice.list).", valueName: "store"))
    var store: KeyStoreChoice?

    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = ListPassphrases(in: store)
        operation.mayPrompt = !input.noInput
        let list = try output.run(operation)
        if !output.json { list.failures.forEach(CommandLineMain.report) }
        let result = Result(keys: list.keys, failures: list.failures.map { FailureJSON($0) })
        try output.print(result) { text(list) }
        if !list.failures.isEmpty { throw ExitStatusError(status: .entryErrors) }
    }

    private func text(_ list: PassphraseList) -> String {
        if list.keys.isEmpty { return list.failures.isEmpty ? "no passphrases are stored" : "" }
        return list.keys.map { entry in
            "\(entry.account)  \(entry.store)\(entry.isThere ? "" : "  (account missing)")".withoutControls
        }.joined(separator: "\n")
    }

    private struct Result: Encodable {
        let type = "keyList"
        let keys: [PassphraseList.Entry]
        let failures: [FailureJSON]
    }
}
