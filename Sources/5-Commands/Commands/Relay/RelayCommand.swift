package import ArgumentParser
import ValiseEncoding

/// `valise-relay`.
package struct RelayCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "valise-relay", abstract: "Keep chunks of encrypted files for others to fetch.",
        discussion: """
            A relay of the XFTP protocol, as the official programs know it. It sees neither names nor contents: \
            chunks of fixed sizes, and the public keys of who may fetch them. Each is kept for two days.

            'init' makes the folder of a relay and prints its address, 'start' runs it until it gets SIGTERM or \
            SIGINT. The others ask or change one.

            \(ExitStatus.table)
            """,
        version: ValiseCommand.configuration.version,
        subcommands: [
            RelayInit.self, RelayStart.self, RelayStatusCommand.self, RelayRenew.self, RelayDelete.self,
            RelayBlock.self, RelayStop.self,
        ])

    package init() {}

    /// One name of 64 begins with a dash, as options do: it is put behind all of them.
    ///
    /// - Parameter arguments: without the name of the program.
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
