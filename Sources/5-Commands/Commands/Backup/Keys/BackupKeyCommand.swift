import ArgumentParser

struct BackupKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Manage the passwords of a repository.",
        discussion: """
            Each password has a key in the repository, and each opens all of it. Whoever has known a password and the \
            repository may have kept what opens it: removing the password does not lock them out.
            """,
        subcommands: [BackupKeyList.self, BackupKeyAdd.self, BackupKeyRemove.self])
}

struct BackupPasswordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password", abstract: "Change the password of a repository.",
        subcommands: [BackupPasswordChange.self])
}
