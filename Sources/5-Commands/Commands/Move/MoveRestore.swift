import ArgumentParser
import Valise

struct MoveRestore: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Bring a retired account back, where the moved one was lost.",
        discussion: """
            Only for when the account on the other machine is gone or was never used: once the same account is used in two \
            places, messages of its contacts cannot be decrypted, on both. What happened there since the move is not here.
            """)

    @OptionGroup var account: AccountOptions

    @Flag(help: "Bring it back without the question.")
    var yes = false

    @Flag(help: "Never ask; fail where an answer would be needed.")
    var noInput = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let location = try account.place()
        let operation = RestoreRetired(location)
        let mark = try output.plan(operation)
        output.warn(
            "this account was moved to another machine\(mark.moved.map { " on \($0.prefix(10))" } ?? ""); if the one there "
                + "was used since and this one is used too, messages of its contacts cannot be decrypted any more, on both"
        )
        try MoveRetired.confirm(
            "Is the account on the other machine gone for good, or was never used?", yes: yes,
            noInput: noInput)
        try output.run(operation)
        try MoveRetired.tell(location, output, type: "moveRestored") {
            "the account in \($0) is back as it was when it was sent"
        }
    }
}
