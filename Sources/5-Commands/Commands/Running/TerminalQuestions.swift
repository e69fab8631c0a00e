import Valise

/// Asks the user at the terminal the questions of operations.
struct TerminalQuestions<Value: Sendable>: Questions {
    let answers: Answers
    let output: OutputOptions
    let work: AsynchronousWork<Value>

    func passphrase(_ request: PassphraseRequest) async throws -> SharedSecret? {
        guard answers.canAsk else {
            let isNeeded = !request.isOptional && !request.isFileKey && request.attempt == 1
            guard isNeeded, !answers.isResuming, !answers.doesWithoutPassphrase else { return nil }
            throw CommandError.passphraseMissing
        }
        return try await work.atTerminal { SharedSecret(try Terminal.askSecret(Self.prompt(request))) }
    }

    private static func prompt(_ request: PassphraseRequest) -> String {
        if request.isFileKey { return "Key for \(request.name.withoutControls) (JSON, or key=… nonce=…): " }
        if request.attempt > 1 {
            // What was wrong did not come from where the stored one did.
            StoredKeyUse.forget()
            return
                "Wrong passphrase (try \(request.attempt) of \(request.mostAttempts)). Passphrase: "
        }
        let name = request.name + (request.isOptional ? " (leave empty to compare file times)" : "")
        return "Passphrase for \(name.withoutControls): "
    }

    func answer(_ question: Question) async throws -> Bool? {
        switch question {
        case .useRelays(let relays): try await usesRelays(QuestionText.text(useOf: relays))
        case .sendAccount(let location, let plan):
            try await agrees(
                MovePlanText.text(
                    plan, location, store: answers.isResuming ? nil : StoredKeyUse.store,
                    isServed: answers.isServed),
                question: answers.isResuming
                    ? "Send it?" : "The remaining time is shown during the transfer. Send it?",
                otherwise: "sending requires confirmation. Nothing was sent.")
        case .receiveAccount(let location, let info, let known):
            try await agrees(
                MovePlanText.text(info, location, known: known), question: "Receive it?",
                otherwise: "receiving requires confirmation. Nothing was received.")
        case .migrateReceived, .useNetworkConfig:
            answers.canAsk
                ? try await work.confirm(QuestionText.text(question, isResuming: answers.isResuming)) : nil
        case .removeMovedAccount(let location):
            try await work.atTerminal {
                try MoveRetired.confirm(
                    "If the words match, permanently remove the databases and media in \(location.directory.string)?",
                    yes: answers.isYes, noInput: !answers.canAsk, operation: "--remove",
                    otherwise: "nothing was changed. Without --remove, the account is only retired.")
                return true
            }
        case .migrate(let plan):
            try await work.atTerminal {
                StandardStreams.printError(MigrationPlanText.text(plan))
                return try Terminal.confirm("Continue?")
            }
        case .purgeMedia(let plan, let deletes): try await purges(plan, deletes: deletes)
        }
    }

    private func usesRelays(_ question: String) async throws -> Bool? {
        if answers.isResuming { return answers.canAsk ? try await work.confirm(question) : nil }
        guard answers.asksAboutRelays, Terminal.isThere else {
            work.note("approve them with --approve-relays, or list them in ~/.config/valise/relays")
            return false
        }
        return try await work.confirm(question)
    }

    private func agrees(_ plan: String, question: String, otherwise: String) async throws -> Bool? {
        if answers.isYes {
            if !output.quiet, !output.json {
                try await work.atTerminal { StandardStreams.printError(plan) }
            }
            return true
        }
        guard answers.canAsk else {
            if answers.isResuming { return nil }
            throw CommandError(.invalid, otherwise, hints: [Hint("confirm", options: "--yes")])
        }
        return try await work.confirm("\(plan)\n\(question)")
    }

    private func purges(_ plan: MediaPurgePlan, deletes: Bool) async throws -> Bool {
        if !output.json { work.result(MediaPurgeText.text(plan)) }
        guard deletes, !answers.isYes, !plan.items.isEmpty else { return true }
        guard answers.canAsk else {
            throw CommandError(
                .invalid, "--delete requires confirmation", hints: [Hint("confirm", options: "--yes")])
        }
        return try await work.confirm("Permanently delete \(Count.text(plan.items.count, "item"))?")
    }
}

/// The texts of questions.
enum QuestionText {
    static func text(useOf relays: [XFTPAddress]) -> String {
        let list = relays.map { $0.text.withoutControls }.joined(separator: ", ")
        return "Your network address will be visible to \(list). Continue?"
    }

    /// - Parameter isResuming: whether a job of another command is resumed.
    static func text(_ question: Question, isResuming: Bool) -> String {
        switch question {
        case .migrateReceived(let plan) where isResuming:
            "\(MigrationPlanText.text(plan))\nMigrate the received account?"
        case .migrateReceived(let plan):
            "The account is in place. Its schema is older than this program.\n"
                + "\(MigrationPlanText.text(plan))\nMigrate it now?"
        case .useNetworkConfig(let config) where isResuming:
            "Use these network settings: \(config.text.withoutControls)?"
        case .useNetworkConfig(let config):
            "The sending app used these network settings: \(config.text.withoutControls). Use them here too?"
        default: ""
        }
    }
}
