import ArgumentParser
import Valise

/// Where a file is sent.
struct RelayChoiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A relay to use, xftp://FINGERPRINT@HOST[:PORT]; may be repeated, then the chunks are spread.",
            valueName: "address"))
    var server: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            A file with addresses of relays, one on a line; for relays with a password, which no argument may hold.
            """, valueName: "file"), completion: .file())
    var serverFile: String?

    func validate() throws {
        for text in server where (try? RelayAccess(text))?.password != nil {
            throw ValidationError(
                "Others can see a password among the arguments; write the address into a file for --server-file."
            )
        }
    }

    var isGiven: Bool { !server.isEmpty || serverFile != nil }

    /// For operations.
    var choice: RelayChoice { RelayChoice(server, file: serverFile.map { FilePath($0) }) }
}
