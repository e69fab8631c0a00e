import ArgumentParser
import Valise
import ValiseTerminal

/// A repository that exists, and its password, which may be asked for.
struct RepositoryOptions: ParsableArguments {
    @OptionGroup var choice: RepositoryChoiceOptions
    @OptionGroup var asking: InputOptions

    /// Whether the user can be asked.
    var canAsk: Bool { asking.canAsk }

    /// For operations.
    func input() throws -> RepositoryInput { try choice.input() }
}

/// The same for commands that have options of another secret, with which it is said whether the user can be asked.
struct RepositoryChoiceOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The repository: a folder, sftp:USER@HOST:PATH, rest:https://HOST/PATH or s3:https://HOST/BUCKET/PREFIX. If "
                + "left out: RESTIC_REPOSITORY, or the only one that you have used.", valueName: "repo"))
    var repo: String?

    @OptionGroup var password: RepositoryPasswordOptions
    @OptionGroup var line: TransferLimitOptions

    /// For operations.
    func input() throws -> RepositoryInput {
        guard let text = repo ?? UserFolders.variable("RESTIC_REPOSITORY") else { return try known() }
        return try input(RepositoryPlace(text))
    }

    private func known() throws -> RepositoryInput {
        let places = try RepositoryMemories(.ofUser).all().map(\.place)
        guard let only = places.first, places.count == 1 else {
            throw CommandError(
                .invalid,
                places.isEmpty ? "no repository is known" : "you have used several repositories: name one",
                hints: places.isEmpty
                    ? [Hint("make one", command: "backup init", "REPO")]
                    : places.map { Hint("use this one", options: "--repo \(ShellWord($0).text)") })
        }
        return try input(RepositoryPlace(only))
    }

    func input(_ place: RepositoryPlace) throws -> RepositoryInput {
        var input = RepositoryInput(place, password: password.given)
        input.access = try StorageAccess(variable: UserFolders.variable)
        input.limits = line.limits
        return input
    }
}

/// Where the password of a repository is read from.
struct RepositoryPasswordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the repository's password from this file; a final line break is ignored. If left out: "
                + "RESTIC_PASSWORD_FILE.", valueName: "file"), completion: .file())
    var passwordFile: String?

    @Option(
        help: ArgumentHelp(
            "Read the repository's password from the output of this sh command. If left out: "
                + "RESTIC_PASSWORD_COMMAND.", valueName: "command"))
    var passwordCommand: String?

    @Option(
        help: ArgumentHelp("Read the repository's password from this open file descriptor.", valueName: "fd"))
    var passwordFd: Int32?

    func validate() throws {
        guard [passwordFile != nil, passwordCommand != nil, passwordFd != nil].count(where: { $0 }) <= 1
        else {
            throw ValidationError("Use only one of --password-file, --password-command, --password-fd")
        }
    }

    /// Nil where the user is asked.
    var given: PassphraseSource.Given? {
        PassphraseSource.Given(file: passwordFile, command: passwordCommand, descriptor: passwordFd)
            ?? PassphraseSource.Given(
                file: UserFolders.variable("RESTIC_PASSWORD_FILE"),
                command: UserFolders.variable("RESTIC_PASSWORD_COMMAND"), descriptor: nil)
    }
}

/// How much of the line is used.
struct TransferLimitOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Send at most this much a second, such as 500K or 2M.", valueName: "rate"))
    var limitUpload: SizeArgument?

    @Option(help: ArgumentHelp("Receive at most this much a second.", valueName: "rate"))
    var limitDownload: SizeArgument?

    var limits: TransferLimits {
        TransferLimits(upload: limitUpload?.bytes, download: limitDownload?.bytes)
    }
}
