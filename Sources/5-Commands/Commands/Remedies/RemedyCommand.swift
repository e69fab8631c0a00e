import Valise

/// Remedies as commands that can be pasted into a shell, and as options of the command that failed.
enum RemedyCommand {
    /// The command lines, alternatives where there are several. None where the remedy is an option or no command of this
    /// program, or where the command is for the other machine.
    static func lines(_ remedy: Remedy) -> [String] {
        switch remedy {
        case .recoverAccount(let account), .startAnyOperation(let account): [line("account recover", account)]
        case .checkAccount(let account): [line("account check", account)]
        case .salvageAccount(let account), .repairSalt(let account): [salvage(account)]
        case .compactAccount(let account): [line("account compact", account)]
        case .auditMedia(let account): [line("media audit", account)]
        case .upgradeCipher(let account): [line("key upgrade", account)]
        case .changePassphrase(let account), .changeOrAcceptPassphrase(let account):
            [line("key change", account)]
        case .migrateAccount(let account), .updateSchema(let account): [line("migrate run", account)]
        case .confirmOrRollBack(let account):
            [line("migrate confirm", account), line("migrate rollback", account)]
        case .rollBack(let account): [line("migrate rollback", account)]
        case .listArchive(let archive): ["valise archive list \(ShellWord(archive).text)"]
        case .verifyArchive(let archive), .acceptDamage(let archive, _):
            ["valise archive verify \(ShellWord(archive).text)"]
        case .sendAccount(let account), .continueSending(let account): [line("move send", account)]
        case .renewLink(let account), .sendChangedAccount(let account):
            [line("move send", account) + " --renew"]
        case .finishMove(let account): [line("move finish", account)]
        case .cancelMove(let account), .completeCancellation(let account),
            .cancelMoveAndRemove(let account, _):
            [line("move cancel", account)]
        case .forgetMove(let id): ["valise move forget \(ShellWord(id).text)"]
        case .restoreRetired(let account): [line("move restore", account)]
        case .removeOrRestoreRetired(let account):
            [line("move remove", account), line("move restore", account)]
        case .resumeJob(let job?, _): ["valise jobs resume \(job)"]
        case .runJobs: ["valise jobs run"]
        case .cancelJob(let job?): ["valise jobs cancel \(job)"]
        case .showJob(let job): ["valise jobs show \(job)"]
        case .listJobs: ["valise jobs list"]
        default: []
        }
    }

    /// Options with which the same command does it, alternatives where there are several.
    static func options(_ remedy: Remedy) -> [String] {
        switch remedy {
        case .replaceFile, .replaceExtractedFile: ["--force"]
        case .changeOrAcceptPassphrase: ["--accept-random-passphrase"]
        case .choosePrefix(_, let prefixes): prefixes.map { ShellWord.option("--prefix", $0) }
        case .repairSalt: ["--repair-salt"]
        case .takeSchemaFromAnotherAccount: ["--schema-from"]
        case .deleteAtOnce: ["--delete"]
        case .acceptDamage: ["--allow-damaged"]
        case .acceptHiddenEntries: ["--allow-hidden-entries"]
        case .raiseGrowthLimit, .raiseGrowthLimitToKeep: ["--max-ratio"]
        case .replaceAccount: ["--into-existing"]
        case .keepOrReplaceNewer: ["--keep-former", "--replace-newer"]
        case .acceptUnverifiedContent: ["--unverified"]
        case .approveRelays: ["--approve-relays"]
        case .giveAuthorityKey: ["--ca-key"]
        case .chooseDescriptionFolder: ["--descriptions"]
        default: []
        }
    }

    // MARK: Arguments

    private static func line(_ command: String, _ account: Remedy.Account) -> String {
        "valise \(command) \(arguments(account.directory, prefix: account.prefix))"
    }

    /// Into a new folder beside that of the account.
    private static func salvage(_ account: Remedy.Account) -> String {
        let folder = account.directory
        let target =
            if let name = folder.lastComponent, name.kind == .regular {
                folder.removingLastComponent().appending("\(name.string)-salvaged")
            } else {
                folder.appending("..").appending("\(account.prefix)-salvaged")
            }
        return line("account salvage", account) + " " + ShellWord(target).text
    }

    /// How an account is named on the command line.
    static func arguments(_ directory: FilePath, prefix: String) -> String {
        let folder = ShellWord(directory).text
        return prefix == AccountLocation.usualPrefix
            ? folder : "\(folder) \(ShellWord.option("--prefix", prefix))"
    }

    /// A command line in a sentence, in marks that are none of its own.
    static func quoted(_ line: String) -> String { line.contains("'") ? "“\(line)”" : "'\(line)'" }
}
