import ArgumentParser
import Valise

/// The account to work on.
struct AccountOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The account folder, or folder and prefix in one.", valueName: "dir"),
        completion: .directory)
    var directory: String

    @Option(help: "Prefix of the database names, if the folder holds several accounts.")
    var prefix: String?

    @Flag(help: "Wait while the account is in use; --wait=5m stops after 5 minutes (s, m, h).")
    var wait = false

    @Option(help: .hidden)
    var waitAtMost: DurationArgument?

    func validate() {
        let waits = wait || waitAtMost != nil
        WaitChoice.choose(waits ? .waiting(atMost: waitAtMost?.duration) : .refused)
    }

    /// The existing account.
    func find() throws -> AccountLocation {
        try AccountLocation.find(FilePath(directory), prefix: prefix)
    }

    /// The location of a new account, or of the existing one.
    func place() throws -> AccountLocation {
        try AccountLocation.place(FilePath(directory), prefix: prefix)
    }
}
