import ArgumentParser
import Valise

/// Where a file is sent.
struct RelayChoiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A relay to use, xftp://FINGERPRINT@HOST[:PORT]. Repeat to spread chunks over several relays.",
            valueName: "address"))
    var server: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            A file with relay addresses, one per line. Required for relays with a password, because others can see \
            arguments.
            """, valueName: "file"), completion: .file())
    var serverFile: String?

    func validate() throws { try Self.refusePasswords(in: server) }

    static func refusePasswords(in addresses: [String]) throws {
        for text in addresses where (try? RelayAccess(text))?.password != nil {
            throw ValidationError(
                "Others can see a password in arguments. Write the address to a file for --server-file."
            )
        }
    }

    var isGiven: Bool { !server.isEmpty || serverFile != nil }

    /// For operations.
    var choice: RelayChoice { RelayChoice(server, file: serverFile.map { FilePath($0) }) }
}
