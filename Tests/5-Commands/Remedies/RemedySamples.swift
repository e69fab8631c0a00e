import SystemPackage
import ValiseFailures

extension Remedy {
    static let sampleAccount = Account(directory: "/a b/it's", prefix: "simplex_v1")
    static let otherAccount = Account(directory: "-accounts", prefix: "my chat")

    /// Each remedy with the text, the command lines and the options that the command line has for it.
    static let samples: [(remedy: Remedy, text: String?, lines: [String], options: [String])] = [
        (.giveCommandAgain, "; give the same command again", [], []),
        (.updateProgram, "; update this one", [], []),
        (.freeSpace(7, in: "/a"), nil, [], []),
        (.waitFor(7), nil, [], []),
        (.replaceFile("/a.zip"), "; choose another or use --force", [], ["--force"]),
        (.replaceExtractedFile("/a/b"), "; choose another folder or use --force", [], ["--force"]),
        (
            .recoverAccount(sampleAccount), "; run 'valise account recover' first",
            [#"valise account recover '/a b/it'\''s'"#], []
        ),
        (
            .startAnyOperation(otherAccount), "; the next run of valise completes it",
            ["valise account recover ./-accounts --prefix 'my chat'"], []
        ),
        (
            .checkAccount(sampleAccount), "; 'valise account check' tells more",
            [#"valise account check '/a b/it'\''s'"#], []
        ),
        (
            .salvageAccount(sampleAccount), "; 'valise account salvage' saves what can be read",
            [#"valise account salvage '/a b/it'\''s' '/a b/it'\''s-salvaged'"#], []
        ),
        (
            .compactAccount(otherAccount), ", 'valise account compact' does it",
            ["valise account compact ./-accounts --prefix 'my chat'"], []
        ),
        (
            .auditMedia(sampleAccount), "; 'valise media audit' tells more",
            [#"valise media audit '/a b/it'\''s'"#], []
        ),
        (
            .upgradeCipher(sampleAccount),
            "; bring it to today's format with 'valise key upgrade' first",
            [#"valise key upgrade '/a b/it'\''s'"#], []
        ),
        (
            .changePassphrase(sampleAccount), "; set one with 'valise key change' first",
            [#"valise key change '/a b/it'\''s'"#], []
        ),
        (
            .changeOrAcceptPassphrase(sampleAccount),
            "; set one that you know with 'valise key change', or say that you have it (--accept-random-passphrase)",
            [#"valise key change '/a b/it'\''s'"#], ["--accept-random-passphrase"]
        ),
        (
            .migrateAccount(sampleAccount), "; 'valise migrate run' folds it in before it looks",
            [#"valise migrate run '/a b/it'\''s'"#], []
        ),
        (
            .updateSchema(sampleAccount),
            "; start the app once, or where 'valise account status' says that the schema is Valise's, run 'valise migrate "
                + "run'",
            [#"valise migrate run '/a b/it'\''s'"#], []
        ),
        (
            .confirmOrRollBack(sampleAccount),
            "; confirm them away ('valise migrate confirm') or restore them ('valise migrate rollback') first",
            [#"valise migrate confirm '/a b/it'\''s'"#, #"valise migrate rollback '/a b/it'\''s'"#], []
        ),
        (
            .rollBack(sampleAccount), ", 'valise migrate rollback' restores them",
            [#"valise migrate rollback '/a b/it'\''s'"#], []
        ),
        (
            .choosePrefix("/a", ["one", "-two"]), "; choose with --prefix: one, -two", [],
            ["--prefix one", "--prefix=-two"]
        ),
        (
            .repairSalt(sampleAccount),
            "; a previous copy beside a database (.bak) or --repair-salt can help with the latter",
            [#"valise account salvage '/a b/it'\''s' '/a b/it'\''s-salvaged'"#], ["--repair-salt"]
        ),
        (
            .takeSchemaFromAnotherAccount,
            "; --schema-from with an account of the same program and version may bring back more", [],
            ["--schema-from"]
        ),
        (.deleteAtOnce, "; --delete deletes at once", [], ["--delete"]),
        (
            .listArchive("/a b.zip"), "; 'valise archive list' shows them",
            ["valise archive list '/a b.zip'"],
            []
        ),
        (
            .verifyArchive("-"), "; 'valise archive verify' tells of all", ["valise archive verify ./-"], []
        ),
        (
            .acceptDamage("/a.zip", problems: 1), ". --allow-damaged imports it as it is",
            ["valise archive verify /a.zip"], ["--allow-damaged"]
        ),
        (
            .acceptDamage("/a.zip", problems: 2),
            "; 'valise archive verify' tells of all. --allow-damaged imports it as it is",
            ["valise archive verify /a.zip"], ["--allow-damaged"]
        ),
        (
            .acceptHiddenEntries("/a.zip"), ". --allow-hidden-entries imports what the directory names", [],
            ["--allow-hidden-entries"]
        ),
        (
            .raiseGrowthLimit, "; raise the limit (--max-ratio) if you trust the archive", [], ["--max-ratio"]
        ),
        (.raiseGrowthLimitToKeep, "; raise the limit (--max-ratio) to keep it", [], ["--max-ratio"]),
        (.replaceAccount(sampleAccount), ". Use --into-existing to replace it", [], ["--into-existing"]),
        (
            .keepOrReplaceNewer(sampleAccount),
            ". Keep that account with --keep-former NAME, or give it up with --replace-newer", [],
            ["--keep-former", "--replace-newer"]
        ),
        (.keepNoPreviousAccount, "; leave --keep-former out", [], []),
        (
            .acceptUnverifiedContent,
            "; write to a file, or accept content that is proved only at the end with --unverified", [],
            ["--unverified"]
        ),
        (
            .sendAccount(sampleAccount), "; 'valise move send' does it",
            [#"valise move send '/a b/it'\''s'"#], []
        ),
        (
            .continueSending(sampleAccount), "; 'valise move send' goes on",
            [#"valise move send '/a b/it'\''s'"#], []
        ),
        (
            .renewLink(sampleAccount), "; 'valise move send --renew' sends it again under a new link",
            [#"valise move send '/a b/it'\''s' --renew"#], []
        ),
        (
            .sendChangedAccount(sampleAccount),
            "; 'valise move send --renew' sends it as it is now, and the other machine has to receive that instead",
            [#"valise move send '/a b/it'\''s' --renew"#], []
        ),
        (
            .finishMove(sampleAccount), "; 'valise move finish' goes on",
            [#"valise move finish '/a b/it'\''s'"#], []
        ),
        (
            .cancelMove(sampleAccount), "; 'valise move cancel' removes it",
            [#"valise move cancel '/a b/it'\''s'"#], []
        ),
        (
            .completeCancellation(sampleAccount), "; 'valise move cancel' completes that",
            [#"valise move cancel '/a b/it'\''s'"#], []
        ),
        (
            .cancelMoveAndRemove(sampleAccount, archive: "/a.zip"),
            "; 'valise move cancel' gives it up; then remove /a.zip, and send the account again",
            [#"valise move cancel '/a b/it'\''s'"#], []
        ),
        (
            .forgetMove("m1"), "; 'valise move forget m1' removes the record", ["valise move forget m1"], []
        ),
        (
            .restoreRetired(sampleAccount), "; 'valise move restore' brings it back",
            [#"valise move restore '/a b/it'\''s'"#], []
        ),
        (
            .removeOrRestoreRetired(sampleAccount),
            "; 'valise move remove' removes it, 'valise move restore' brings it back",
            [#"valise move remove '/a b/it'\''s'"#, #"valise move restore '/a b/it'\''s'"#], []
        ),
        (.showLinkElsewhere, "; the other machine shows it with 'valise move link'", [], []),
        (
            .renewLinkElsewhere,
            "; 'valise move send --renew' on the other machine makes a new link, which this command takes",
            [], []
        ),
        (
            .finishElsewhere,
            "; 'valise move link' and 'valise move finish' are for the other machine, which sent it", [], []
        ),
        (
            .approveRelays, "; approve them with --approve-relays, or list them in ~/.config/valise/relays",
            [],
            ["--approve-relays"]
        ),
        (.giveAuthorityKey("/k"), "; say where you keep it with --ca-key", [], ["--ca-key"]),
        (
            .chooseDescriptionFolder,
            "; send it again with another folder for them (--descriptions) to get its links", [],
            ["--descriptions"]
        ),
        (.resumeJob(3, .passphrase), ": 'valise jobs resume 3' asks for it", ["valise jobs resume 3"], []),
        (
            .resumeJob(3, .anotherPassphrase), "; 'valise jobs resume 3' asks for another passphrase",
            ["valise jobs resume 3"], []
        ),
        (.resumeJob(3, .consent), ": 'valise jobs resume 3' asks", ["valise jobs resume 3"], []),
        (
            .resumeJob(3, .relayApproval),
            "; 'valise jobs resume 3' asks, or list them in ~/.config/valise/relays",
            ["valise jobs resume 3"], []
        ),
        (.resumeJob(3, .space), "; free space, then 'valise jobs resume 3'", ["valise jobs resume 3"], []),
        (.resumeJob(3, .access), "; then 'valise jobs resume 3'", ["valise jobs resume 3"], []),
        (
            .resumeJob(3, .newerProgram), "; update this one, then 'valise jobs resume 3'",
            ["valise jobs resume 3"], []
        ),
        (.resumeJob(nil, .access), "; then 'valise jobs resume'", [], []),
        (.runJobs, "; 'valise jobs run' resumes it", ["valise jobs run"], []),
        (.cancelJob(3), "; 'valise jobs cancel 3' gives it up", ["valise jobs cancel 3"], []),
        (.showJob(3), "; 'valise jobs show 3' tells why", ["valise jobs show 3"], []),
        (.listJobs, "; 'valise jobs list' shows all", ["valise jobs list"], []),
    ]
}
