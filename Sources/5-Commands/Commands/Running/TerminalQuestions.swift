import Valise
import ValiseEncoding
import ValiseTerminal

/// Asks the user at the terminal the questions of operations.
struct TerminalQuestions<Value: Sendable>: SettledQuestions {
    let answers: Answers
    let output: OutputOptions
    let work: AsynchronousWork<Value>
    /// Of this run.
    let answered = AnsweredRelays()

    func passphrase(_ request: PassphraseRequest) async throws -> SharedSecret? {
        guard answers.canAsk else {
            let isNeeded = !request.isOptional && request.wanted != .fileKey && request.attempt == 1
            guard isNeeded, !answers.isResuming, !answers.doesWithoutPassphrase else { return nil }
            throw request.wanted == .repositoryPassword ? CommandError.passwordMissing : .passphraseMissing
        }
        return try await work.atTerminal { SharedSecret(try Terminal.askSecret(prompt(request))) }
    }

    private func prompt(_ request: PassphraseRequest) -> String {
        let name = request.name.withoutControls
        let purpose = request.purpose ?? "open its databases"
        if let prompt = request.sessionPrompt { return prompt }
        if request.wanted == .fileKey { return "Key for \(name), to \(purpose) (JSON, or key=… nonce=…): " }
        if let wanted = Self.storeWords(request.wanted) { return "\(wanted) of the store \(name): " }
        if request.wanted == .repositoryPassword {
            let trial = "Wrong password (try \(request.attempt) of \(request.mostAttempts)). "
            return (request.attempt > 1 ? trial : "") + "Password of the repository \(name): "
        }
        let choice = request.alternative.map { " (Return to \($0))" } ?? ""
        if request.attempt > 1 {
            // What was wrong did not come from where the stored one did.
            StoredKeyUse.forget()
            return
                "Wrong passphrase (try \(request.attempt) of \(request.mostAttempts)). Passphrase\(choice): "
        }
        if let prompt = answers.passphrasePrompt { return prompt }
        return "Passphrase for \(name), to \(purpose)\(choice): "
    }

    private static func storeWords(_ wanted: PassphraseRequest.Wanted) -> String? {
        switch wanted {
        case .storePassphrase: "Passphrase"
        case .recoveryPhrase: "Recovery phrase"
        default: nil
        }
    }

    func isAgreed(before question: Question) throws -> Bool {
        switch question {
        // A script is refused before the archive is read.
        case .replaceAccount: try !answers.consent.mustAsk(question.operation)
        case .forgetOnlyPassphrase: answers.isYes
        default: false
        }
    }

    func answer(_ question: Question) async throws -> Bool? {
        switch question {
        case .useRelays(let relays): try await usesRelays(answered.open(among: relays))
        case .notifyRelays(let relays): try await usesRelays(answered.open(among: relays), toTell: true)
        case .sendAccount(let location, let plan):
            try await agrees(
                MovePlanText.text(
                    plan, location, store: answers.isResuming ? nil : StoredKeyUse.store,
                    isServed: answers.isServed),
                question: plan.archive != nil
                    ? "Write the archive now?" : answers.isServed ? "Serve it now?" : "Upload it now?",
                operation: "sending")
        case .receiveAccount(let location, let info, let known, let new):
            try await receives(location, MovePlanText.text(info, location, known: known), new)
        case .migrateReceived, .useNetworkConfig, .finishUnconfirmed:
            answers.canAsk
                ? try await work.confirm(QuestionText.text(question, isResuming: answers.isResuming)) : nil
        case .removeArchives(let archives): try await removes(archives)
        case .purgeMedia(let plan, let deletes): try await purges(plan, deletes: deletes)
        case .forgetSnapshots(let plan):
            try await agrees(
                ForgetText.text(plan),
                question: "Remove \(Count.text(plan.removedCount, "snapshot"))"
                    + (plan.prune == nil ? "?" : ", and data that no snapshot uses?"),
                operation: "removing snapshots")
        case .pruneRepository(let plan):
            try await agrees(
                PruneText.text(plan), question: "Remove data that no snapshot uses?",
                operation: "removing data")
        case .removeFromStore(let plan):
            try await agrees(
                StoreRemovalText.text(plan), question: "Remove \(Count.text(plan.files.count, "file"))?",
                operation: "removing files")
        case .synchronize(let plan):
            try await agrees(
                StoreSyncText.text(plan), question: "Continue?", operation: "removing files")
        case .collectStore(let plan):
            try await agrees(
                StoreCollectText.text(plan), question: "Remove what no file uses?",
                operation: "removing objects")
        case .restoreRetired(let location, let moved): try await restores(location, moved, question)
        case .removeMovedAccount, .cancelReceived, .replaceAccount, .migrate, .rollBackMigration,
            .createUnencrypted, .removeEncryption, .forgetOnlyPassphrase, .removeRetired, .restoreSession,
            .removeSessionGuard:
            try await consents(
                QuestionText.text(question, isResuming: false), question.form, operation: question.operation)
        case .confirmMigration, .forgetMove, .deleteFiles, .removeChunk:
            // Scripts do it without a question.
            answers.consent.isNeededByTerminal
                ? try await consents(
                    QuestionText.text(question, isResuming: false), question.form,
                    operation: question.operation)
                : true
        }
    }

    private func usesRelays(_ relays: [XFTPAddress], toTell: Bool = false) async throws -> Bool? {
        if relays.isEmpty { return true }
        let question =
            toTell ? RelayWords.receipt(to: relays) : "\(RelayWords.exposure(to: relays)) Continue?"
        if answers.isResuming { return answers.canAsk ? try await work.confirm(question) : nil }
        guard answers.asksAboutRelays, Terminal.isThere else { return nil }
        return try await work.confirm(question)
    }

    /// - Parameter relays: those that the user would be asked about next: one yes is enough for what is on one screen.
    private func receives(
        _ location: AccountLocation, _ plan: String, _ relays: [XFTPAddress]
    ) async throws -> Bool? {
        let exposure = relays.isEmpty ? [] : [RelayWords.exposure(to: relays)]
        let question =
            location.hasAccount ? "This replaces the account in \(location.directory.string)." : "Receive it?"
        let answer = try await agrees(
            plan, question: (exposure + [question]).joined(separator: " "),
            location.hasAccount ? .name(of: location.directory) : .yesOrNo, operation: "receiving")
        // With --yes nobody has seen the relays.
        if answer == true, !answers.isYes { answered.add(relays) }
        return answer
    }

    private func agrees(
        _ plan: String, question: String, _ form: Consent.Form = .yesOrNo, operation: String
    ) async throws -> Bool? {
        if answers.isYes {
            if !output.quiet, !output.json {
                try await work.atTerminal { StandardStreams.printError(plan) }
            }
            return true
        }
        if !answers.canAsk, answers.isResuming { return nil }
        return try await consents("\(plan)\n\(question)", form, operation: operation)
    }

    private func consents(
        _ question: String, _ form: Consent.Form = .yesOrNo, operation: String
    ) async throws -> Bool {
        try await work.atTerminal { [consent = answers.consent] in
            try consent.isAnswered(question, form, operation: operation)
        }
    }

    /// The warning is also for those who have agreed already.
    private func restores(
        _ location: AccountLocation, _ moved: String?, _ question: Question
    ) async throws -> Bool {
        if let warning = MovePlan.Effect.restoreRetired(location, moved: moved).warning { work.warn(warning) }
        return try await consents(
            QuestionText.text(question, isResuming: false), question.form, operation: question.operation)
    }

    private func removes(_ archives: [FilePath]) async throws -> Bool {
        let operation = "--keep-last"
        let names = archives.map(\.string).joined(separator: ", ")
        let detail = archives.isEmpty ? "" : ". It would remove \(names)"
        guard try answers.consent.mustAsk(operation, detail), !archives.isEmpty else { return true }
        let list = archives.map { "  \($0.string.withoutControls)" }.joined(separator: "\n")
        return try await consents(
            "After the export, these archives will be removed:\n\(list)\nContinue?", operation: operation)
    }

    private func purges(_ plan: MediaPurgePlan, deletes: Bool) async throws -> Bool {
        if !output.json { work.result(MediaPurgeText.text(plan)) }
        guard deletes, !plan.items.isEmpty else { return true }
        return try await consents(
            "Permanently delete \(Count.text(plan.items.count, "item"))?",
            answers.account.map { Consent.Form.name(of: $0.directory) } ?? .yesOrNo, operation: "--delete")
    }
}

extension Question {
    /// What needs consent, for the message where nobody can be asked.
    fileprivate var operation: String {
        switch self {
        case .removeMovedAccount: "--remove"
        case .cancelReceived: "cancelling a move that the other machine may have received"
        case .replaceAccount: "replacing an account"
        case .migrate: "migrating"
        case .createUnencrypted: "--no-encryption"
        case .removeEncryption: "--decrypt"
        case .restoreSession: "replacing a database"
        case .removeSessionGuard: "removing a guard"
        default: "this command"
        }
    }

    /// What cannot be undone takes the account's name.
    fileprivate var form: Consent.Form {
        switch self {
        case .removeMovedAccount(let account), .replaceAccount(let account, _),
            .rollBackMigration(let account), .confirmMigration(let account, _),
            .removeEncryption(let account), .removeRetired(let account):
            .name(of: account.directory)
        case .forgetOnlyPassphrase(let folder): .name(of: folder)
        default: .yesOrNo
        }
    }
}

/// The texts of questions.
enum QuestionText {
    /// - Parameter isResuming: whether a job of another command is resumed.
    static func text(_ question: Question, isResuming: Bool) -> String {
        switch question {
        case .migrateReceived(let plan) where isResuming:
            "\(plan.text)\nMigrate the received account?"
        case .migrateReceived(let plan):
            "The account is in place. Its schema is older than this program.\n"
                + "\(plan.text)\nMigrate it now?"
        case .useNetworkConfig(let config) where isResuming:
            "Use these network settings: \(config.text.withoutControls)?"
        case .useNetworkConfig(let config):
            "The sending app used these network settings: \(config.text.withoutControls). Use them here too?"
        case .finishUnconfirmed(true):
            "No machine has confirmed that it received this account: it is still on the relays. An app never confirms. "
                + "Finish anyway?"
        case .finishUnconfirmed(false):
            "The relays cannot say whether this account was received. Finish anyway?"
        case .cancelReceived:
            "The relays no longer offer this account, so the other machine may have received it. If it is used on both "
                + "machines, messages from its contacts cannot be decrypted. Cancel the move anyway?"
        case .replaceAccount(let location, let warning):
            (warning.map { "Warning: \($0).\n" } ?? "")
                + "This replaces the account in \(location.directory.string) and keeps no copy (see --keep-previous)."
        case .removeMovedAccount(let location):
            "Without --remove, the account is only retired. If the words match, permanently remove the databases and "
                + "media in \(location.directory.string)?"
        case .removeRetired(let location):
            "Permanently remove the databases and media in \(location.directory.string)?"
        case .restoreRetired: "Was the account on the other machine lost for good, or never used?"
        case .forgetMove(let record): "Permanently remove the record of the \(record.title)?"
        case .migrate(let plan): "\(plan.text)\nContinue?"
        case .rollBackMigration: "Everything that changed since the migration is lost."
        case .confirmMigration(_, let kept):
            "This removes the databases from before the migration (\(Count.bytes(kept.freed)))."
        case .createUnencrypted:
            "Anyone who gets these files can read all messages. Continue without encryption?"
        case .removeEncryption: "Without encryption, anyone who gets these files can read all messages."
        case .forgetOnlyPassphrase:
            "This removes the only stored copy of the passphrase. Without it, the account cannot be opened."
        case .deleteFiles(let descriptions):
            "Delete the files of \(Count.text(descriptions.count, "description")) from the relays?"
        case .removeChunk(_, nil): "Delete the chunk for all its recipients? This cannot be undone."
        case .removeChunk: "Delete the chunk and report it as blocked? This cannot be undone."
        case .restoreSession(let store, let taken):
            "This replaces the database in \(store.string) with the one of \(taken). What was received since stays only in a copy "
                + "beside it. Continue?"
        case .removeSessionGuard(let path): "Permanently remove the guard \(path.string)?"
        case .useRelays, .notifyRelays, .sendAccount, .receiveAccount, .removeArchives, .purgeMedia,
            .forgetSnapshots, .pruneRepository, .removeFromStore, .synchronize, .collectStore:
            ""
        }
    }
}
