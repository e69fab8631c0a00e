package import ArgumentParser
import ValiseEncoding

/// `valise-relay`.
package struct RelayCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "valise-relay", abstract: "Run an XFTP relay, which stores encrypted file chunks.",
        discussion: """
            A relay for the XFTP protocol, compatible with the official programs. It sees neither file names nor \
            contents, only chunks of fixed sizes and the public keys of those who may fetch them. Chunks are kept \
            for two days.

            'init' creates a relay folder and prints the relay's address. 'start' runs the relay until SIGTERM or \
            SIGINT. The other commands query or change a relay.

            \(ExitStatus.table)
            """,
        version: ValiseCommand.configuration.version,
        subcommands: [
            RelayInit.self, RelayStart.self, RelayStatusCommand.self, RelayRenew.self, RelayDelete.self,
            RelayBlock.self, RelayReload.self, RelayStop.self, RelayCheck.self, RelayRepair.self,
            RelayMigrate.self,
        ])

    package init() {}

    /// Moves an ID behind the options: 1 of 64 begins with a dash, as options do.
    ///
    /// - Parameter arguments: without the program name.
    package static func withNamesLast(_ arguments: [String]) -> [String] {
        guard let command = arguments.first, ["delete", "block"].contains(command),
            !arguments.contains("--"), let place = arguments.firstIndex(where: isName)
        else { return arguments }
        var arguments = arguments
        let name = arguments.remove(at: place)
        return arguments + ["--", name]
    }

    private static func isName(_ text: String) -> Bool {
        text.hasPrefix("-") && Base64URL.decode(text)?.count == 16
    }
}
