import ArgumentParser
import Valise
import ValiseTerminal

/// An existing account on the command line, which may be left out.
protocol AccountChoice {
    /// The argument.
    var directory: String? { get }
    var use: AccountUseOptions { get }
}

/// The existing account to work on, which may be left out.
struct AccountOptions: ParsableArguments, AccountChoice {
    @Argument(
        help: ArgumentHelp(
            "The account folder, or folder and prefix in one. If left out: VALISE_ACCOUNT, or the only account "
                + "that 'valise account find' finds.", valueName: "dir"),
        completion: .directory)
    var directory: String?

    @OptionGroup var use: AccountUseOptions

    /// The account, and the argument behind it. A single argument is the latter, unless it is an account.
    func and(_ target: String?, _ name: String) throws -> (account: AccountToChoose, target: String) {
        if let target { return (AccountToChoose(options: self, other: ""), target) }
        guard let only = directory, !isAccount(FilePath(only)) else {
            throw ValidationError("Missing expected argument '<\(name)>'" + (name == "archive" ? help : ""))
        }
        var rest = self
        rest.directory = nil
        let other = " ('\(only.withoutControls)' was taken as <\(name)>)"
        return (AccountToChoose(options: rest, other: other), only)
    }

    /// As the parser shows an argument that it misses itself, and a call that can be pasted.
    private var help: String {
        let line = "\nHelp:  <archive>  The archive to write, or - for standard output."
        guard let path = directory.map({ FilePath($0) }), let name = path.lastComponent,
            name.kind == .regular, !name.string.contains("{")
        else { return line }
        let account = RemedyCommand.arguments(path, prefix: use.prefix ?? AccountLocation.usualPrefix)
        let archive = ShellWord(FilePath("\(name.string)-{date}.zip")).text
        let hint = Hint("name it by the date", command: "archive export", "\(account) \(archive)")
        return "\(line)\n\(hint.note)"
    }

    private func isAccount(_ path: FilePath) -> Bool {
        (try? AccountPaths.isOccupied(path)) == true
            || (try? AccountLocation.find(path, prefix: use.prefix)) != nil
    }
}

extension AccountChoice {
    /// The existing account.
    func find(_ output: OutputOptions) throws -> AccountLocation { try choose(output).find() }

    /// Where the existing account is, or was before it was retired.
    func place(_ output: OutputOptions) throws -> AccountLocation {
        let chosen = try choose(output)
        return try AccountLocation.place(chosen.path, prefix: chosen.prefix)
    }
}

/// An existing account to look at, in a folder or in an archive, which may be left out.
struct ReadableAccountOptions: ParsableArguments, AccountChoice {
    @Argument(
        help: ArgumentHelp(
            "The account folder, folder and prefix in one, a zip archive, or a snapshot as REPO::SNAPSHOT. If left out: "
                + "VALISE_ACCOUNT, or the only account that 'valise account find' finds.",
            valueName: "account"),
        completion: .file())
    var directory: String?

    @OptionGroup var use: AccountUseOptions
}

/// An account that must be named: a new one, or one that need not exist.
struct NamedAccountOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The account folder, or folder and prefix in one.", valueName: "dir"),
        completion: .directory)
    var directory: String

    @OptionGroup var use: AccountUseOptions

    /// The location of a new account, or of the existing one.
    func place() throws -> AccountLocation {
        try AccountLocation.place(FilePath(directory), prefix: use.prefix)
    }
}

/// Which account of a folder, and when.
struct AccountUseOptions: ParsableArguments {
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
}
