import ArgumentParser
import Valise

/// Which account is meant.
struct AccountOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The folder of the account, or folder and prefix in one.", valueName: "dir"),
        completion: .directory)
    var directory: String

    @Option(help: "What the names of the databases start with, where the folder holds several accounts.")
    var prefix: String?

    /// The account that is there.
    func find() throws -> AccountLocation {
        try AccountLocation.find(FilePath(directory), prefix: prefix)
    }

    /// Where a new account goes, or the one that is there.
    func place() throws -> AccountLocation {
        try AccountLocation.place(FilePath(directory), prefix: prefix)
    }
}
