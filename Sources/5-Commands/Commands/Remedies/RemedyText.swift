import Valise

/// Remedies in the words of the command line, as they follow the sentence of a failure.
///
/// Commands are named without their arguments, as everywhere in the texts; ``RemedyCommand`` has them whole.
enum RemedyText {
    /// For ``Failure/description(remedies:)`` and ``Remark/text(_:)``.
    static let words: RemedyWords = { text($0) }

    /// With what separates it from the sentence. Nil where the sentence says what to do.
    static func text(_ remedy: Remedy) -> String? {
        switch remedy {
        case .giveCommandAgain: "; give the same command again"
        case .updateProgram: "; update this one"
        case .freeSpace, .waitFor: nil
        case .replaceFile: "; choose another or use --force"
        case .replaceExtractedFile: "; choose another folder or use --force"

        case .recoverAccount: "; run 'valise account recover' first"
        case .startAnyOperation: "; the next run of valise completes it"
        case .checkAccount: "; 'valise account check' tells more"
        case .salvageAccount: "; 'valise account salvage' saves what can be read"
        case .compactAccount: ", 'valise account compact' does it"
        case .auditMedia: "; 'valise media audit' tells more"
        case .upgradeCipher: "; bring it to today's format with 'valise key upgrade' first"
        case .changePassphrase: "; set one with 'valise key change' first"
        case .changeOrAcceptPassphrase:
            "; set one that you know with 'valise key change', or say that you have it (--accept-random-passphrase)"
        case .migrateAccount: "; 'valise migrate run' folds it in before it looks"
        case .updateSchema:
            "; start the app once, or where 'valise account status' says that the schema is Valise's, run 'valise migrate "
                + "run'"
        case .confirmOrRollBack:
            "; confirm them away ('valise migrate confirm') or restore them ('valise migrate rollback') first"
        case .rollBack: ", 'valise migrate rollback' restores them"
        case .choosePrefix(_, let prefixes): "; choose with --prefix: \(prefixes.joined(separator: ", "))"
        case .repairSalt:
            "; a previous copy beside a database (.bak) or --repair-salt can help with the latter"
        case .takeSchemaFromAnotherAccount:
            "; --schema-from with an account of the same program and version may bring back more"
        case .deleteAtOnce: "; --delete deletes at once"

        case .listArchive: "; 'valise archive list' shows them"
        case .verifyArchive: "; 'valise archive verify' tells of all"
        case .acceptDamage(_, let problems):
            (problems > 1 ? "; 'valise archive verify' tells of all" : "")
                + ". --allow-damaged imports it as it is"
        case .acceptHiddenEntries: ". --allow-hidden-entries imports what the directory names"
        case .raiseGrowthLimit: "; raise the limit (--max-ratio) if you trust the archive"
        case .raiseGrowthLimitToKeep: "; raise the limit (--max-ratio) to keep it"
        case .replaceAccount: ". Use --into-existing to replace it"
        case .keepOrReplaceNewer:
            ". Keep that account with --keep-former NAME, or give it up with --replace-newer"
        case .keepNoPreviousAccount: "; leave --keep-former out"
        case .acceptUnverifiedContent:
            "; write to a file, or accept content that is proved only at the end with --unverified"

        case .sendAccount: "; 'valise move send' does it"
        case .continueSending: "; 'valise move send' goes on"
        case .renewLink: "; 'valise move send --renew' sends it again under a new link"
        case .sendChangedAccount:
            "; 'valise move send --renew' sends it as it is now, and the other machine has to receive that instead"
        case .finishMove: "; 'valise move finish' goes on"
        case .cancelMove: "; 'valise move cancel' removes it"
        case .completeCancellation: "; 'valise move cancel' completes that"
        case .cancelMoveAndRemove(_, let archive):
            "; 'valise move cancel' gives it up; then remove \(archive), and send the account again"
        case .forgetMove(let id): "; 'valise move forget \(id)' removes the record"
        case .restoreRetired: "; 'valise move restore' brings it back"
        case .removeOrRestoreRetired:
            "; 'valise move remove' removes it, 'valise move restore' brings it back"
        case .showLinkElsewhere: "; the other machine shows it with 'valise move link'"
        case .renewLinkElsewhere:
            "; 'valise move send --renew' on the other machine makes a new link, which this command takes"
        case .finishElsewhere:
            "; 'valise move link' and 'valise move finish' are for the other machine, which sent it"

        case .approveRelays:
            "; approve them with --approve-relays, or list them in ~/.config/valise/relays"
        case .giveAuthorityKey: "; say where you keep it with --ca-key"
        case .chooseDescriptionFolder:
            "; send it again with another folder for them (--descriptions) to get its links"
        case .resumeJob(let job, let need):
            resumeText("'valise jobs resume\(job.map { " \($0)" } ?? "")'", need)
        case .runJobs: "; 'valise jobs run' resumes it"
        case .cancelJob(let job): "; 'valise jobs cancel\(job.map { " \($0)" } ?? "")' gives it up"
        case .showJob(let job): "; 'valise jobs show \(job)' tells why"
        case .listJobs: "; 'valise jobs list' shows all"
        }
    }

    private static func resumeText(_ command: String, _ need: Remedy.JobNeed) -> String {
        switch need {
        case .passphrase: ": \(command) asks for it"
        case .anotherPassphrase: "; \(command) asks for another passphrase"
        case .consent: ": \(command) asks"
        case .relayApproval: "; \(command) asks, or list them in ~/.config/valise/relays"
        case .space: "; free space, then \(command)"
        case .access: "; then \(command)"
        case .newerProgram: "; update this one, then \(command)"
        }
    }
}

extension Failure {
    /// The description with what can be done, for the user.
    var text: String { description(remedies: RemedyText.words) }

    /// The same without control characters: names out of archives could drive the terminal.
    var printable: String { text.withoutControls }
}

extension Remark {
    /// The sentence with what can be done, for the user.
    var text: String { text(RemedyText.words) }
}
