import Synchronization
import Valise
import ValiseTerminal

/// Remedies as commands that can be pasted into a shell, and as options of the command that failed.
enum RemedyCommand {
    /// The command lines, alternatives where there are several. None where the remedy is an option or no command, or where
    /// the command is for the other machine.
    static func lines(_ remedy: Remedy) -> [String] { lines(of: hints(remedy)) }

    /// Options with which the same command does it, alternatives where there are several.
    static func options(_ remedy: Remedy) -> [String] { options(of: hints(remedy)) }

    static func lines(of hints: [Hint]) -> [String] { hints.compactMap(\.line) }

    static func options(of hints: [Hint]) -> [String] {
        hints.filter { $0.command == nil }.flatMap(\.options)
    }

    /// What the command line can do about it, alternatives where there are several.
    static func hints(_ remedy: Remedy) -> [Hint] {
        if let advice = remedy.advice { return [Hint(advice)] }
        return switch remedy {
        case .replaceFile: [Hint("replace it", options: "--force")]
        case .replaceExtractedFile:
            [Hint("choose another folder"), Hint("replace existing files", options: "--force")]
        case .makePrivate(let path, let isFolder, let secret):
            [Hint("keep other users out", ofSystem: isFolder ? "chmod 700" : "chmod 600", path)]
                + (secret.map { [Hint("if someone may have read it, change the \($0)")] } ?? [])
        case .serveByWebDAV: [Hint("serve it by WebDAV instead", options: "--webdav")]
        case .unmount(let path): [Hint("unmount it", ofSystem: "umount", path)]
        case .createFolder(let path): [Hint("create it", ofSystem: "mkdir -p", path)]

        case .recoverAccount(let account):
            [hint("complete the interrupted operation or roll it back", "account recover", account)]
        case .startAnyOperation(let account): [hint("complete it", "account recover", account)]
        case .checkAccount(let account): [hint("see the details", "account check", account)]
        case .salvageAccount(let account): [salvage("recover readable data", account)]
        case .leaveOutOrphans(let account):
            [salvage("make a copy without these rows", account, "--drop-orphans")]
        case .compactAccount(let account): [hint("compact the databases", "account compact", account)]
        case .auditMedia(let account): [hint("see the details", "media audit", account)]
        case .upgradeCipher(let account): [hint("convert it to the current format", "key upgrade", account)]
        case .changePassphrase(let account): [hint("set a passphrase first", "key change", account)]
        case .changeOrAcceptPassphrase(let account):
            [
                hint("set a passphrase that you know", "key change", account),
                Hint("confirm that you know the present one", options: "--accept-random-passphrase"),
            ]
        case .updateSchema(let account):
            [
                Hint("if the app made this account, start the app once"),
                hint("update a schema that Valise made", "migrate run", account),
            ]
        case .confirmOrRollBack(let account):
            [
                hint("keep the migrated databases", "migrate confirm", account),
                hint("restore the previous ones", "migrate rollback", account),
            ]
        case .rollBack(let account): [hint("restore the previous databases", "migrate rollback", account)]
        case .choosePrefix(_, let prefixes):
            [Hint("choose one", options: prefixes.map { ShellWord.option("--prefix", $0) })]
        case .repairSalt(let account):
            [
                Hint("if there is a previous copy beside a database (.bak), try that"),
                salvage("rebuild a damaged salt", account, "--repair-salt"),
            ]
        case .takeSchemaFromAnotherAccount:
            [
                Hint(
                    "recover more", options: "--schema-from",
                    detail: "with an account of the same program and version")
            ]
        case .deleteAtOnce: [Hint("delete them instead", options: "--delete")]

        case .listArchive(let archive): [hint("see the entries", "archive list", archive)]
        case .extractArchive(let archive):
            [
                Hint(
                    "extract it into a folder", command: "archive extract",
                    ShellWord(archive).text + " --directory "
                        + ShellWord(archive.appendingSuffix(".extracted")).text)
            ]
        case .verifyArchive(let archive): [hint("see all problems", "archive verify", archive)]
        case .salvageArchive(let archive):
            // What came through a pipe cannot be read once more.
            archive.string == ArchiveInput.standardInput
                ? []
                : salvage(archive).map { [Hint("recover readable entries", command: "archive salvage", $0)] }
                    ?? []
        case .importArchive(let archive, let account):
            [
                Hint(
                    "import it instead", command: "archive import",
                    ShellWord(archive).text + " " + arguments(account.directory, prefix: account.prefix))
            ]
        case .acceptDamage(let archive, let problems):
            [
                hint(problems > 1 ? "see all problems" : "see the details", "archive verify", archive),
                Hint("import it anyway", options: "--allow-damaged"),
            ]
        case .acceptHiddenEntries:
            [Hint("import only what the directory lists", options: "--allow-hidden-entries")]
        case .raiseSizeLimit:
            [Hint("raise the limit", options: "--max-size", detail: "with a greater size")]
        case .raiseGrowthLimit: [growth("raise the limit, if you trust the archive")]
        case .raiseGrowthLimitToKeep: [growth("raise the limit and keep it")]
        case .replaceAccount: [Hint("replace it", options: "--into-existing")]
        case .keepOrReplaceNewer(let account):
            [
                Hint(
                    "keep that account", options: "--keep-previous",
                    detail: SuggestedPath.previousAccount(in: account)),
                Hint("replace that account", options: "--replace-newer"),
            ]
        case .keepNoPreviousAccount: [Hint("leave out --keep-previous")]
        case .chooseFolderOrReplace:
            [Hint("choose another folder"), Hint("replace it", options: "--into-existing")]

        case .acceptUnverifiedContent:
            [
                Hint("write to a file"),
                Hint("accept content that is verified only at its end", options: "--unverified"),
            ]

        case .sendAccount(let account): [hint("send it", "move send", account)]
        case .continueSending(let account): [hint("continue", "move send", account)]
        case .resumeReceiving(let account): [hint("resume", "move receive", account)]
        case .resumeOrCancelReceiving(let account):
            hints(.resumeReceiving(account)) + hints(.cancelMove(account))
        case .continueOrCancelMove(let account):
            [hint("see its next step", "move status", account.directory)] + hints(.cancelMove(account))
        case .renewLink(let account): [renew("send it again under a new link", account)]
        case .sendChangedAccount(let account):
            [renew("send its present state under a new link, for the other machine to receive", account)]
        case .finishMove(let account): [hint("finish the move", "move finish", account)]
        case .cancelMove(let account): [hint("cancel the move", "move cancel", account)]
        case .completeCancellation(let account): [hint("complete the cancellation", "move cancel", account)]
        case .cancelMoveAndRemove(let account, let archive):
            hints(.cancelMove(account)) + [Hint("then remove \(archive) and send the account again")]
        case .forgetMove(let id):
            [Hint("remove its record", command: "move forget \(ShellWord(id).text)", "")]
        case .restoreRetired(let account): [hint("restore it", "move restore", account)]
        case .removeOrRestoreRetired(let account):
            [hint("remove it", "move remove", account), hint("restore it", "move restore", account)]
        case .showLinkElsewhere: [Hint("run 'valise move link' on the other machine to show the link")]
        case .renewLinkElsewhere:
            [Hint("run 'valise move send --renew' on the other machine, then receive its new link here")]
        case .finishElsewhere:
            [Hint("run 'valise move link' and 'valise move finish' on the machine that sent it")]

        case .approveRelays: [Hint("approve them", options: "--approve-relays", detail: listing)]
        case .giveAuthorityKey: [Hint("name its location", options: "--ca-key")]
        case .setUpRelay(let folder):
            [
                Hint(
                    "set it up", ofSystem: "valise-relay init",
                    arguments: "--folder \(ShellWord(folder).text) --host HOST")
            ]
        case .chooseDescriptionFolder:
            [
                Hint(
                    "send it again and get its links", options: "--descriptions",
                    detail: "with another folder")
            ]

        case .resumeJob(let job, let need): resume(job, need)
        case .runJobs: [Hint("resume it", command: "jobs run", "")]
        case .cancelJob(let job):
            [Hint("cancel it", command: "jobs cancel\(number(job))", job.map { _ in "" })]
        case .showJob(let job): [Hint("see why", command: "jobs show \(job)", "")]
        case .listJobs: [Hint("see all jobs", command: "jobs list", "")]
        case .retryJob(let job): [Hint("run it again", command: "jobs retry \(job)", "")]
        case .removeJob(let job): [Hint("remove that one first", command: "jobs cancel \(job)", "")]
        // What is no command line, in words already.
        default: []
        }
    }

    private static func resume(_ job: Int64?, _ need: Remedy.JobNeed) -> [Hint] {
        func hint(_ action: String) -> Hint {
            Hint(action, command: "jobs resume\(number(job))", job.map { _ in "" })
        }
        return switch need {
        case .passphrase: [hint("enter it")]
        case .anotherPassphrase: [hint("enter another passphrase")]
        case .consent: [hint("answer the question")]
        case .relayApproval: [hint("approve them"), Hint(listing)]
        case .space: [Hint("free space"), hint("continue")]
        case .access: [hint("continue")]
        case .newerProgram: [Hint("update this program"), hint("continue")]
        }
    }

    private static func growth(_ action: String) -> Hint {
        Hint(action, options: "--max-ratio", detail: "with a greater number")
    }

    private static let listing = "or list them in ~/.config/valise/relays"

    private static func number(_ job: Int64?) -> String { job.map { " \($0)" } ?? "" }

    private static func hint(_ action: String, _ command: String, _ account: Remedy.Account) -> Hint {
        Hint(action, command: command, arguments(account.directory, prefix: account.prefix))
    }

    private static func hint(_ action: String, _ command: String, _ archive: FilePath) -> Hint {
        Hint(action, command: command, ShellWord(archive).text)
    }

    private static func salvage(_ action: String, _ account: Remedy.Account, _ options: String...) -> Hint {
        Hint(action, command: "account salvage", salvage(account), options: options)
    }

    private static func renew(_ action: String, _ account: Remedy.Account) -> Hint {
        var hint = hint(action, "move send", account)
        hint.options = ["--renew"]
        return hint
    }

    /// Lines with what can be done, each once.
    static func notes(_ remedies: [Remedy]) -> [String] {
        remedies.flatMap(hints).map(\.note).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    // MARK: Arguments

    /// Into the folder of this call, or a new one beside that of the account.
    private static func salvage(_ account: Remedy.Account) -> String {
        let target =
            AccountSalvageCommand.target.withLock { $0 } ?? SuggestedPath.salvagedAccount(beside: account)
        return arguments(account.directory, prefix: account.prefix) + " " + ShellWord(target).text
    }

    /// Into a new archive beside a damaged one; nil for one without a name.
    static func salvage(_ archive: FilePath) -> String? {
        SuggestedPath.salvagedArchive(beside: archive).map {
            "\(ShellWord(archive).text) \(ShellWord($0).text)"
        }
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
