import ArgumentParser

struct BackupKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Manage the passwords of a repository.",
        discussion: """
            Each password has a key in the repository, and each opens all of it. Who has known a password and the \
            repository may keep what opens it: removing the password does not lock that person out.
            """,
        subcommands: [BackupKeyList.self, BackupKeyAdd.self, BackupKeyRemove.self])
}

struct BackupPasswordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password", abstract: "Change the password of a repository.",
        subcommands: [BackupPasswordChange.self])
}
