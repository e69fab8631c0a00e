import ArgumentParser
import Valise

struct MoveRemove: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove what is left of an account that was moved away.",
        discussion: """
            Databases and media of the retired account go for good. An account that was not retired by 'valise move \
            finish' is refused.
            """)

    @OptionGroup var account: AccountOptions

    @Flag(help: "Remove without the question.")
    var yes = false

    @Flag(help: "Never ask; fail where an answer would be needed.")
    var noInput = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let location = try account.place()
        let operation = RemoveRetired(location)
        _ = try output.plan(operation)
        try MoveRetired.confirm(
            "Remove the databases and media in \(location.directory.string) for good?", yes: yes,
            noInput: noInput)
        let isWhole = try !output.run(operation)
        try MoveRetired.tell(location, output, type: "moveRemoved", mediaLeft: !isWhole) { folder in
            let removed = "what was left in \(folder) was removed"
            return isWhole ? removed : "\(removed); \(Self.mediaStay)"
        }
    }

    static let mediaStay =
        "the media stay: a program has made another account here since, which may have them"
}
