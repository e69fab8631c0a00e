import ArgumentParser
import Valise

struct SessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Read, check, extract and merge stores of Session.",
        discussion: """
            STORE is the profile folder of Session Desktop or a copy of it, the folder of Session iOS (with 'database' and \
            'Attachments' in it), or a session.bak. Stores are only read, except by 'valise session guard restore', and those \
            of a running program in one consistent state. A password or key is asked for where one is needed: the passphrase options take the \
            password of a profile or a backup, or the key of a phone's database (48 bytes, or 96 hexadecimal digits).

            'valise chat' lists, shows, searches, exports and browses the messages of these stores.
            """,
        subcommands: [
            SessionInfo.self, SessionCheckCommand.self, SessionExtract.self, SessionMerge.self,
            SessionWords.self, SessionGuardCommand.self,
        ])
}

/// A store of Session on the command line.
struct SessionStoreArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A profile folder of Session Desktop, a folder of Session iOS, or a session.bak.",
            valueName: "store"),
        completion: .file())
    var store: String

    var path: FilePath { FilePath(store) }
}
