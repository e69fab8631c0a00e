import Valise
import ValiseTerminal

/// A failure of the command line itself.
struct CommandError: Failure {
    let code: FailureCode
    let message: String
    var subject: String?
    let remedy: Remedy?
    /// What only the command line can name.
    let hints: [Hint]
    var cause: (any Error)? { nil }

    init(
        _ code: FailureCode, _ message: String, subject: String? = nil, remedy: Remedy? = nil,
        hints: [Hint] = []
    ) {
        self.code = code
        self.message = message
        self.subject = subject
        self.remedy = remedy
        self.hints = hints
    }
}

extension CommandError {
    /// A failure of an operation with the options and commands that help.
    static func worded(_ failure: any Failure) -> any Failure {
        switch failure {
        case let error as OperationError:
            guard let need = error.need else { return error }
            return CommandError(
                error.code, text(error.message, need), subject: error.subject, remedy: error.remedy,
                hints: hints(need, error.subject))
        case let error as ServingEnded:
            if let cause = error.cause as? any Failure { return worded(cause) }
            let account = error.account.arguments
            return error.code == .interrupted
                ? CommandError(
                    error.code, "stopped. Nothing is lost.",
                    hints: [Hint("serve the same link again", command: "move send", account)])
                : CommandError(
                    error.code, error.message,
                    hints: [Hint("send it again", command: "move send", account, options: ["--renew"])])
        case let error as ComparedPassphraseError: return worded(error)
        case let error as ArchiveRefusal where error.acceptsDamage: return worded(error)
        case let error as KeyStorageError where error.message == KeyStores.noBus:
            return KeyStorageError(
                error.kind, error.code, "\(error.message). Use the key store 'kernel' or 'file' instead.",
                error.subject)
        case let error as UploadOfMove:
            return CommandError(
                error.code, "this upload belongs to another operation, such as a move. Nothing was removed.",
                subject: error.id, hints: [Hint("cancel a move", command: "move cancel", nil)])
        default: return failure
        }
    }

    private static func worded(_ error: ComparedPassphraseError) -> any Failure {
        if error.origin == .stored {
            StoredKeyUse.explain(option: error.isOfSecond ? "--other-passphrase-file" : "--passphrase-file")
            return error
        }
        StoredKeyUse.forget()
        guard error.origin == .ofFirst else { return error }
        return CommandError(
            .wrongPassphrase, error.message, subject: error.subject,
            hints: [
                Hint("use another passphrase for the second account", options: "--other-passphrase-file")
            ])
    }

    private static func worded(_ error: ArchiveRefusal) -> CommandError {
        var hints: [Hint] = []
        if error.failure is ZipError, case .verifyArchive(let path) = error.remedy {
            hints.append(
                Hint("recover intact entries", command: "archive salvage", RemedyCommand.salvage(path)))
        }
        return CommandError(
            error.code, [error.message, "--allow-damaged does not cover this."].asSentences,
            subject: error.subject, remedy: error.remedy, hints: hints)
    }

    private static func text(_ message: String, _ need: OperationError.Need) -> String {
        switch need {
        case .relay: "no relay is configured. Nothing was sent."
        case .serveAddress: "the address by which others reach this machine is missing"
        case .spaceToServe: "with --serve \(message)"
        default: message
        }
    }

    private static func hints(_ need: OperationError.Need, _ subject: String?) -> [Hint] {
        switch need {
        case .relay:
            [
                Hint(
                    "name a relay", options: "--server", detail: "or list relays in ~/.config/valise/relays"),
                Hint("send from this machine without a relay", options: "--serve"),
            ]
        case .serveAddress: [Hint("name it", options: "--serve")]
        case .sameServeAddress: [Hint("serve it there"), Hint("make another link", options: "--renew")]
        case .sending:
            [Hint("send it first", command: "move send", subject.map { ShellWord(FilePath($0)).text })]
        case .knownJob: [Hint("list all jobs", command: "jobs list", "", options: ["--all"])]
        case .strongPassphrase:
            [
                Hint("generate a strong one", command: "key generate", ""),
                Hint("use it anyway", options: "--allow-weak"),
            ]
        case .knownMove: [Hint("see all moves", command: "move status", "")]
        case .folderOfMove:
            [Hint("see its state", command: "move status", subject.map { ShellWord(FilePath($0)).text })]
        case .replacing: [Hint("replace it", options: "--force")]
        case .olderState:
            [
                Hint("keep that account", options: "--keep-previous"),
                Hint("replace it anyway", options: "--replace-newer"),
            ]
        case .fileKey: [Hint("decrypt it", options: "--key-file", "--key-fd")]
        case .storedPassphrase:
            [
                Hint(
                    "generate and store one", command: "key generate",
                    subject.map { "--for \(ShellWord(FilePath($0)).text)" })
            ]
        case .stateFolder: [Hint("set HOME or XDG_STATE_HOME")]
        case .keyFolder: [Hint("set HOME, or name the folder with file:FOLDER")]
        case .anotherPassphrase: [Hint("run the same command again with another passphrase")]
        case .folderOfSentFile:
            [Hint("delete it", command: "file delete", subject.map { ShellWord($0 + ".xftp").text })]
        case .receipt: [Hint("finish anyway, if the other machine has it", options: "--unconfirmed")]
        case .relayApproval:
            [
                Hint(
                    "approve them", options: "--approve-relays",
                    detail: "or list them in ~/.config/valise/relays")
            ]
        case .linkInFile:
            [
                Hint(
                    "run 'valise move receive - FOLDER < \(subject.map { ShellWord(FilePath($0)).text } ?? "FILE")'"
                )
            ]
        case .lastSnapshot: [Hint("remove it anyway", options: "--allow-empty")]
        case .saltOfStore: [Hint("set VALISE_STORE_SALT_HEX or VALISE_STORE_SALT_TEXT")]
        case .updating, .knownChat, .chatID, .spaceToServe, .agreement, .words, .links: need.chatHints
        }
    }
}
