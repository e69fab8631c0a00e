import ArgumentParser
import Valise

struct MoveLink: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Show the link and words of a sent account again.",
        discussion: """
            Also shows how long the relays still keep the upload. Contacts no relay and does not read the account. \
            Use 'valise move send' to find out whether the account has been used since.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var codes: LinkCodeOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try codes.check()
        let location = try account.place(output)
        let report = try output.run(ShowMoveLink(of: location))
        try SentOutput(location: location, codes: codes, output: output).show(report)
    }
}
