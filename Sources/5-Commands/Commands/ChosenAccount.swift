import Valise
import ValiseTerminal

/// The account of a call: the one that is named, else that of the environment, else the only one that is found.
struct ChosenAccount {
    let path: FilePath
    let prefix: String?

    func find() throws -> AccountLocation { try AccountLocation.find(path, prefix: prefix) }
}

/// The account of a call that has another argument behind it.
struct AccountToChoose {
    let options: AccountOptions
    /// What became of an only argument that is no account; empty where there is none.
    let other: String

    /// The existing account.
    func find(_ output: OutputOptions) throws -> AccountLocation {
        try options.choose(output, other).find()
    }

    /// The snapshot that is named in its place; nil for none.
    func snapshot() throws -> SnapshotName? {
        try options.directory.flatMap { try SnapshotName.find(FilePath($0)) }
    }
}

extension AccountOptions {
    static let variable = "VALISE_ACCOUNT"
}

extension AccountChoice {
    /// Says what was chosen, if the call does not name it.
    /// - Parameter other: as ``AccountToChoose/other``.
    func choose(_ output: OutputOptions, _ other: String = "") throws -> ChosenAccount {
        let prefix = use.prefix
        if let directory { return ChosenAccount(path: FilePath(directory), prefix: prefix) }
        if let named = UserFolders.variable(AccountOptions.variable).map({ FilePath($0) }) {
            output.note("using \(ShellWord(named).text) (\(AccountOptions.variable))")
            return ChosenAccount(path: named, prefix: prefix)
        }
        let found = try output.run(FindAccounts(of: .ofUser)).usable(prefix: prefix)
        guard found.count == 1, let only = found.first?.location else {
            throw CommandError.noChoice(found, other, hasPrefix: prefix != nil)
        }
        output.note("using \(only.arguments)")
        return ChosenAccount(path: only.directory, prefix: only.prefix)
    }
}

extension CommandError {
    private static let mostHints = 9

    fileprivate static func noChoice(
        _ found: [FoundAccount], _ other: String, hasPrefix: Bool
    ) -> CommandError {
        guard !found.isEmpty else {
            return CommandError(
                .invalid, "no account given, and none found in the usual places",
                hints: [
                    Hint("name the account folder, or set \(AccountOptions.variable)\(other)"),
                    .searchFolder,
                ])
        }
        let list = found.map { "\($0.location.directory) (\($0.program.name))" }.joined(separator: ", ")
        return CommandError(
            .invalid, "no account given, and several found: \(list)",
            hints: found.prefix(mostHints).map { call(of: $0, hasPrefix: hasPrefix) })
    }

    /// This call, with an account behind the words of the command.
    private static func call(of account: FoundAccount, hasPrefix: Bool) -> Hint {
        let words = CommandLine.arguments.dropFirst()
        let location = account.location
        return Hint(
            "use the account of the \(account.program.name)", command: words.prefix(2).joined(separator: " "),
            hasPrefix ? ShellWord(location.directory).text : location.arguments,
            options: words.dropFirst(2).map { ShellWord($0).text })
    }
}

extension Hint {
    static let searchFolder = Hint("search a mounted disk or a backup", command: "account find FOLDER", nil)
}
