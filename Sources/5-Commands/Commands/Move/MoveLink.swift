import ArgumentParser
import Valise

struct MoveLink: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Show once more the link and the words of an account that was sent.",
        discussion: """
            As 'valise move send' showed them, with how long the relays still keep it. No relay is asked, and the account \
            is not looked at: whether it was used since, 'valise move send' tells.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var codes: LinkCodeOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try codes.check()
        let location = try account.place()
        let report = try output.run(ShowMoveLink(of: location))
        try SentOutput(location: location, codes: codes, output: output).show(report)
    }
}
