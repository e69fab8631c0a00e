import ArgumentParser

struct SessionGuardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guard", abstract: "Guard a database of Session against a failed update.",
        discussion: """
            Session migrates its database in place and keeps no copy. Take a guard before you update the program: if the \
            update fails, restore it and start the version of the program that you had before.
            """,
        subcommands: [
            SessionGuardTake.self, SessionGuardList.self, SessionGuardRestore.self, SessionGuardRemove.self,
        ])
}

/// A guard on the command line.
struct SessionGuardArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The folder of the guard.", valueName: "guard"), completion: .directory)
    var path: String
}
