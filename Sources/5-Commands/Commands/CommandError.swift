import Valise

/// A failure of the command line itself.
struct CommandError: Failure {
    let code: FailureCode
    let message: String
    var subject: String?
    let remedy: Remedy?
    var cause: (any Error)? { nil }

    init(_ code: FailureCode, _ message: String, subject: String? = nil, remedy: Remedy? = nil) {
        self.code = code
        self.message = message
        self.subject = subject
        self.remedy = remedy
    }
}

extension CommandError {
    /// A failure of an operation with the options and commands that help.
    static func worded(_ failure: any Failure) -> any Failure {
        switch failure {
        case let error as OperationError:
            guard let need = error.need else { return error }
            return CommandError(error.code, text(error.message, need), subject: error.subject)
        case let error as ServingEnded:
            if let cause = error.cause as? any Failure { return worded(cause) }
            let account = error.account.arguments
            return CommandError(
                error.code,
                error.code == .interrupted
                    ? "stopped; nothing is lost, and " + RemedyCommand.quoted("valise move send \(account)")
                        + " serves the same link again"
                    : "\(error.message); " + RemedyCommand.quoted("valise move send \(account) --renew")
                        + " sends it anew")
        case let error as ComparedPassphraseError: return worded(error)
        case let error as KeyStorageError where error.message == KeyStores.noBus:
            return KeyStorageError(
                error.kind, error.code, "\(error.message); there are --store kernel and --store file too",
                error.subject)
        case let error as UploadOfMove:
            return CommandError(
                error.code,
                "this upload is of no file and belongs to the command that began it, such as a move of an account; "
                    + "nothing was removed, cancel it there ('valise move cancel')", subject: error.id)
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
            .wrongPassphrase,
            "\(error.message); if it has another one than the first account, give --other-passphrase-file",
            subject: error.subject)
    }

    private static func text(_ message: String, _ need: OperationError.Need) -> String {
        switch need {
        case .relay:
            "no relay is known; name one with --server, list some in ~/.config/valise/relays, or be one yourself with "
                + "--serve; nothing was sent"
        case .serveAddress: "say with --serve by which address others reach this machine"
        case .sameServeAddress: "\(message); serve it there, or add --renew for another link"
        case .spaceToServe: "with --serve \(message)"
        case .sending: "\(message); 'valise move send' comes first"
        case .knownJob: "\(message); 'valise jobs list' shows all"
        case .replacing: "\(message); replace it with --force"
        case .fileKey: "\(message); give --key-file or --key-fd"
        case .storedPassphrase: "\(message); make one with 'valise key generate'"
        case .agreement, .words: message
        }
    }
}
