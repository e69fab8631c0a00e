import ArgumentParser
import Valise

struct MoveRemove: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Permanently remove a retired account.",
        discussion: """
            Removes the databases and media. Only an account retired by 'valise move finish' can be removed.
            """)

    @OptionGroup var account: AccountOptions

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Flag(help: "Never prompt; fail if input is needed.")
    var noInput = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let location = try account.place(output)
        let operation = RemoveRetired(location)
        _ = try output.plan(operation)
        try MoveRetired.confirm(
            "Permanently remove the databases and media in \(location.directory.string)?", yes: yes,
            noInput: noInput)
        let isIntact = try !output.run(operation)
        try MoveRetired.tell(location, output, type: "moveRemoved", mediaLeft: !isIntact) { folder in
            isIntact
                ? "removed the retired account in \(folder)"
                : "removed the retired databases in \(folder). \(Self.mediaStay)"
        }
    }

    static let mediaStay = "The media were kept: a new account in this folder may use them."
}
