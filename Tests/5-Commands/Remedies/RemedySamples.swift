import SystemPackage
import ValiseFailures

extension Remedy {
    static let sampleAccount = Account(directory: "/a b/it's", prefix: "simplex_v1")
    static let otherAccount = Account(directory: "-accounts", prefix: "my chat")

    /// Each remedy with the text, the command lines and the options that the command line has for it.
    static let samples: [(remedy: Remedy, text: String?, lines: [String], options: [String])] = [
        (.giveCommandAgain, "Run the same command again.", [], []),
        (.giveOriginalCommandAgain, "Run the original command again.", [], []),
        (.updateProgram, "Update this program.", [], []),
        (
            .installLibarchive, "Install libarchive, on Debian and Ubuntu the package libarchive13.", [], []
        ),
        (.installLibargon2, "Install libargon2, on Debian and Ubuntu the package libargon2-1.", [], []),
        (
            .installLibblake3, "Install libblake3, on Debian since release 14 the package libblake3-0.", [],
            []
        ),
        (.installLibcurl, "Install libcurl, on Debian and Ubuntu the package libcurl4.", [], []),
        (.installLibfuse, "Install libfuse 3, on Debian and Ubuntu the package fuse3.", [], []),
        (.installLibpq, "Install libpq, on Debian and Ubuntu the package libpq5.", [], []),
        (.installLibvips, "Install libvips, on Debian and Ubuntu the package libvips42.", [], []),
        (.installFfmpeg, "Install ffmpeg, on Debian and Ubuntu the package ffmpeg.", [], []),
        (.checkServerAddress, "Check the server's address.", [], []),
        (
            .checkServerPassword, "Check the user name and the password or keys for the server.", [], []
        ),
        (
            .setStorageKeys,
            "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.", [], []
        ),
        (.setClock, "Set the clock of this machine.", [], []),
        (.serveByWebDAV, "Add --webdav to serve it by WebDAV instead.", [], ["--webdav"]),
        (.unmount("/a b"), "Run “umount '/a b'” to unmount it.", ["umount '/a b'"], []),
        (.freeSpace(7, in: "/a"), "Free space on the file system of /a.", [], []),
        (.waitFor(7), "Close that program.", [], []),
        (.replaceFile("/a.zip"), "Add --force to replace it.", [], ["--force"]),
        (
            .replaceExtractedFile("/a/b"), "Choose another folder. Add --force to replace existing files.",
            [], ["--force"]
        ),
        (
            .makePrivate("/a b/key", isFolder: false), "Run “chmod 600 '/a b/key'” to keep other users out.",
            ["chmod 600 '/a b/key'"], []
        ),
        (
            .makePrivate("/a b/key", isFolder: false, secret: "passphrase"),
            "Run “chmod 600 '/a b/key'” to keep other users out. If someone may have read it, change the passphrase.",
            ["chmod 600 '/a b/key'"], []
        ),
        (
            .makePrivate("-keys", isFolder: true), "Run 'chmod 700 ./-keys' to keep other users out.",
            ["chmod 700 ./-keys"], []
        ),
        (.createFolder("/a b"), "Run “mkdir -p '/a b'” to create it.", ["mkdir -p '/a b'"], []),
        (.tryLater, "Try again later.", [], []),
        (.closeProgram, "Close the program that changes it, and run the same command again.", [], []),
        (.chooseAnotherName, "Choose another name.", [], []),
        (.chooseAnotherFolder, "Choose another folder.", [], []),
        (.chooseAnotherFileSystem, "Choose another file system.", [], []),
        (.moveAway("/a b"), "Move /a b away or remove it.", [], []),
        (.removeOrChooseAnotherName("/a b"), "Remove /a b or choose another name.", [], []),
        (.runAsOwner, "Run this as the owner.", [], []),
        (.nameFolder("/a b"), "Name its folder instead: /a b.", [], []),
        (.nameFile("/a b/c.zip"), "Name a file in it, such as /a b/c.zip.", [], []),
        (.nameSingleFiles, "Name single files.", [], []),
        (.renameFile, "Rename the file.", [], []),
        (.moveToFileSystem(of: "/a b"), "Move it to the file system of /a b.", [], []),
        (.makeReadable("/a b"), "Make /a b readable, and run the same command again.", [], []),
        (.removeWhenUnneeded("/a b"), "Remove /a b when you no longer need it.", [], []),
        (.checkSystemLog, "Check the system log.", [], []),
        (
            .turnOffLogElsewhere,
            "Turn it off with the program that turned it on (PRAGMA journal_mode = DELETE).", [], []
        ),
        (.mergeJournalElsewhere, "Open it once with the program that left it, to merge it.", [], []),
        (.givePassphrase, "Give the passphrase.", [], []),
        (
            .giveStoreKey,
            "Name the file of the store's key in VALISE_STORE_KEY_FILE, or of a device's key in VALISE_STORE_IDENTITY.",
            [], []
        ),
        (.chooseAnotherPrefix, "Choose another folder or prefix.", [], []),
        (
            .chooseFolderOrReplace(sampleAccount),
            "Choose another folder. Add --into-existing to replace it.", [], ["--into-existing"]
        ),
        (.finishSendingInApp, "Run the app until sending is complete.", [], []),
        (.exportCompleteAccount, "Export the complete account.", [], []),
        (.extractWithoutDecrypting, "Extract it without decrypting.", [], []),
        (.extractWithAnotherProgram, "Extract it with another program.", [], []),
        (
            .importIntoAnotherFolder,
            "For an account you can use, import the archive again into another folder.", [], []
        ),
        (.keepOrRemovePartial("/a b"), "Remove the suffix of /a b, or remove it and its key.", [], []),
        (
            .closeUntilMoved(7),
            "Close the program, and keep it closed until the account is moved.", [], []
        ),
        (.giveOneSource, "Use the links of one account, or one archive.", [], []),
        (.giveAllLinks, "Enter the links of all parts together.", [], []),
        (
            .compareWordsAgain,
            "Compare the words again, and check the other machine for missing files.", [], []
        ),
        (.enterShownWords, "Enter all words as the other machine shows them.", [], []),
        (.askForNewLink, "Ask the sender to send it again under a new link.", [], []),
        (.copyCompleteLink, "Copy the whole link.", [], []),
        (
            .useSenderDescription,
            "To delete the file, use the sender's description (snd.xftp.private).", [], []
        ),
        (.sendFileAgain, "Send the file again.", [], []),
        (.startTransferOver, "Discard the transfer and start over.", [], []),
        (.storeKeyUnencrypted, "Store it without a passphrase.", [], []),
        (.sendToFewer, "Send it to fewer recipients at once.", [], []),
        (.sendChunksSingly, "Send one chunk at a time.", [], []),
        (.receivePartsSingly, "Receive the parts one by one.", [], []),
        (.useAnotherRelay, "Use another relay or try again later.", [], []),
        (.checkRelayAddress, "Check the relay's address.", [], []),
        (.checkRelayPassword, "Check the password in the relay's address, or use another relay.", [], []),
        (.checkClock, "Check the clock, or ask the relay's operator.", [], []),
        (.exportStoreLog, "Export the database to a store log first.", [], []),
        (.checkRelayLog, "Check the relay's log.", [], []),
        (.chooseAnotherAddress, "Choose another address or port.", [], []),
        (.chooseUnprivilegedPort, "Choose a port above 1023.", [], []),
        (.stopOrChoosePort, "Stop that program or choose another port.", [], []),
        (.stopRelayOrChooseFolder, "Stop that relay or choose another folder.", [], []),
        (.runByHand, "Run it by hand to see why.", [], []),
        (.copyPrivately, "Make your own copy with mode 0600.", [], []),
        (.unlockKeyring, "Unlock it in the desktop settings, then try again.", [], []),
        (.createKeyring, "Create one in the desktop settings.", [], []),
        (.retryJob(3), "Run 'valise jobs retry 3' to run it again.", ["valise jobs retry 3"], []),
        (.removeJob(3), "Run 'valise jobs cancel 3' to remove that one first.", ["valise jobs cancel 3"], []),
        (
            .restoreQueueKey("/a b"),
            "Restore the right key, or move the queue away to start an empty one.", [], []
        ),
        (.startEmptyQueue("/a b"), "Move /a b away to start with an empty queue.", [], []),
        (
            .useKnownArchive,
            "Archives are zip, tar (also with gzip, xz or Zstandard), cpio and 7z files.", [], []
        ),
        (
            .recoverAccount(sampleAccount),
            #"Run “valise account recover '/a b/it'\''s'” to complete the interrupted operation or roll it back."#,
            [#"valise account recover '/a b/it'\''s'"#], []
        ),
        (
            .startAnyOperation(otherAccount),
            "Run “valise account recover ./-accounts --prefix 'my chat'” to complete it.",
            ["valise account recover ./-accounts --prefix 'my chat'"], []
        ),
        (
            .checkAccount(sampleAccount), #"Run “valise account check '/a b/it'\''s'” to see the details."#,
            [#"valise account check '/a b/it'\''s'"#], []
        ),
        (
            .salvageAccount(sampleAccount),
            #"Run “valise account salvage '/a b/it'\''s' '/a b/it'\''s-salvaged'” to recover readable data."#,
            [#"valise account salvage '/a b/it'\''s' '/a b/it'\''s-salvaged'"#], []
        ),
        (
            .leaveOutOrphans(sampleAccount),
            #"Run “valise account salvage '/a b/it'\''s' '/a b/it'\''s-salvaged' --drop-orphans” to make a copy without these rows."#,
            [#"valise account salvage '/a b/it'\''s' '/a b/it'\''s-salvaged' --drop-orphans"#], []
        ),
        (
            .compactAccount(otherAccount),
            "Run “valise account compact ./-accounts --prefix 'my chat'” to compact the databases.",
            ["valise account compact ./-accounts --prefix 'my chat'"], []
        ),
        (
            .auditMedia(sampleAccount), #"Run “valise media audit '/a b/it'\''s'” to see the details."#,
            [#"valise media audit '/a b/it'\''s'"#], []
        ),
        (
            .upgradeCipher(sampleAccount),
            #"Run “valise key upgrade '/a b/it'\''s'” to convert it to the current format."#,
            [#"valise key upgrade '/a b/it'\''s'"#], []
        ),
        (
            .changePassphrase(sampleAccount),
            #"Run “valise key change '/a b/it'\''s'” to set a passphrase first."#,
            [#"valise key change '/a b/it'\''s'"#], []
        ),
        (
            .changeOrAcceptPassphrase(sampleAccount),
            #"Run “valise key change '/a b/it'\''s'” to set a passphrase that you know. Add --accept-random-passphrase to confirm that you know the present one."#,
            [#"valise key change '/a b/it'\''s'"#], ["--accept-random-passphrase"]
        ),
        (
            .updateSchema(sampleAccount),
            #"If the app made this account, start the app once. Run “valise migrate run '/a b/it'\''s'” to update a schema that Valise made."#,
            [#"valise migrate run '/a b/it'\''s'"#], []
        ),
        (
            .confirmOrRollBack(sampleAccount),
            #"Run “valise migrate confirm '/a b/it'\''s'” to keep the migrated databases. Run “valise migrate rollback '/a b/it'\''s'” to restore the previous ones."#,
            [#"valise migrate confirm '/a b/it'\''s'"#, #"valise migrate rollback '/a b/it'\''s'"#], []
        ),
        (
            .rollBack(sampleAccount),
            #"Run “valise migrate rollback '/a b/it'\''s'” to restore the previous databases."#,
            [#"valise migrate rollback '/a b/it'\''s'"#], []
        ),
        (
            .choosePrefix("/a", ["one", "-two"]), "Add --prefix one or --prefix=-two to choose one.", [],
            ["--prefix one", "--prefix=-two"]
        ),
        (
            .repairSalt(sampleAccount),
            #"If there is a previous copy beside a database (.bak), try that. Run “valise account salvage '/a b/it'\''s' '/a b/it'\''s-salvaged' --repair-salt” to rebuild a damaged salt."#,
            [#"valise account salvage '/a b/it'\''s' '/a b/it'\''s-salvaged' --repair-salt"#], []
        ),
        (
            .takeSchemaFromAnotherAccount,
            "Add --schema-from with an account of the same program and version to recover more.", [],
            ["--schema-from"]
        ),
        (.deleteAtOnce, "Add --delete to delete them instead.", [], ["--delete"]),
        (
            .listArchive("/a b.zip"), "Run “valise archive list '/a b.zip'” to see the entries.",
            ["valise archive list '/a b.zip'"],
            []
        ),
        (
            .extractArchive("/a b.tar"),
            "Run “valise archive extract '/a b.tar' --directory '/a b.tar.extracted'” to extract it into a folder.",
            ["valise archive extract '/a b.tar' --directory '/a b.tar.extracted'"], []
        ),
        (
            .salvageArchive("/a.tar"),
            "Run 'valise archive salvage /a.tar /a-salvaged.zip' to recover readable entries.",
            ["valise archive salvage /a.tar /a-salvaged.zip"], []
        ),
        (.salvageArchive("standard input"), nil, [], []),
        (
            .importArchive("a.tar", otherAccount),
            "Run “valise archive import a.tar ./-accounts --prefix 'my chat'” to import it instead.",
            ["valise archive import a.tar ./-accounts --prefix 'my chat'"], []
        ),
        (
            .verifyArchive("-"), "Run 'valise archive verify ./-' to see all problems.",
            ["valise archive verify ./-"], []
        ),
        (
            .acceptDamage("/a.zip", problems: 1),
            "Run 'valise archive verify /a.zip' to see the details. Add --allow-damaged to import it anyway.",
            ["valise archive verify /a.zip"], ["--allow-damaged"]
        ),
        (
            .acceptDamage("/a.zip", problems: 2),
            "Run 'valise archive verify /a.zip' to see all problems. Add --allow-damaged to import it anyway.",
            ["valise archive verify /a.zip"], ["--allow-damaged"]
        ),
        (
            .acceptHiddenEntries("/a.zip"),
            "Add --allow-hidden-entries to import only what the directory lists.", [],
            ["--allow-hidden-entries"]
        ),
        (.raiseSizeLimit, "Add --max-size with a greater size to raise the limit.", [], ["--max-size"]),
        (
            .raiseGrowthLimit,
            "Add --max-ratio with a greater number to raise the limit, if you trust the archive.", [],
            ["--max-ratio"]
        ),
        (
            .raiseGrowthLimitToKeep, "Add --max-ratio with a greater number to raise the limit and keep it.",
            [], ["--max-ratio"]
        ),
        (.replaceAccount(sampleAccount), "Add --into-existing to replace it.", [], ["--into-existing"]),
        (
            .keepOrReplaceNewer(sampleAccount),
            "Add --keep-previous previous to keep that account. Add --replace-newer to replace that account.",
            [],
            ["--keep-previous", "--replace-newer"]
        ),
        (.keepNoPreviousAccount, "Leave out --keep-previous.", [], []),
        (
            .acceptUnverifiedContent,
            "Write to a file. Add --unverified to accept content that is verified only at its end.", [],
            ["--unverified"]
        ),
        (
            .sendAccount(sampleAccount), #"Run “valise move send '/a b/it'\''s'” to send it."#,
            [#"valise move send '/a b/it'\''s'"#], []
        ),
        (
            .continueSending(sampleAccount), #"Run “valise move send '/a b/it'\''s'” to continue."#,
            [#"valise move send '/a b/it'\''s'"#], []
        ),
        (
            .resumeReceiving(sampleAccount), #"Run “valise move receive '/a b/it'\''s'” to resume."#,
            [#"valise move receive '/a b/it'\''s'"#], []
        ),
        (
            .resumeOrCancelReceiving(sampleAccount),
            #"Run “valise move receive '/a b/it'\''s'” to resume. Run “valise move cancel '/a b/it'\''s'” to cancel the move."#,
            [#"valise move receive '/a b/it'\''s'"#, #"valise move cancel '/a b/it'\''s'"#], []
        ),
        (
            .continueOrCancelMove(otherAccount),
            "Run 'valise move status ./-accounts' to see its next step. Run “valise move cancel ./-accounts --prefix 'my chat'” to cancel the move.",
            ["valise move status ./-accounts", "valise move cancel ./-accounts --prefix 'my chat'"], []
        ),
        (
            .renewLink(sampleAccount),
            #"Run “valise move send '/a b/it'\''s' --renew” to send it again under a new link."#,
            [#"valise move send '/a b/it'\''s' --renew"#], []
        ),
        (
            .sendChangedAccount(sampleAccount),
            #"Run “valise move send '/a b/it'\''s' --renew” to send its present state under a new link, for the other machine to receive."#,
            [#"valise move send '/a b/it'\''s' --renew"#], []
        ),
        (
            .finishMove(sampleAccount), #"Run “valise move finish '/a b/it'\''s'” to finish the move."#,
            [#"valise move finish '/a b/it'\''s'"#], []
        ),
        (
            .cancelMove(sampleAccount), #"Run “valise move cancel '/a b/it'\''s'” to cancel the move."#,
            [#"valise move cancel '/a b/it'\''s'"#], []
        ),
        (
            .completeCancellation(sampleAccount),
            #"Run “valise move cancel '/a b/it'\''s'” to complete the cancellation."#,
            [#"valise move cancel '/a b/it'\''s'"#], []
        ),
        (
            .cancelMoveAndRemove(sampleAccount, archive: "/a.zip"),
            #"Run “valise move cancel '/a b/it'\''s'” to cancel the move. Then remove /a.zip and send the account again."#,
            [#"valise move cancel '/a b/it'\''s'"#], []
        ),
        (
            .forgetMove("m1"), "Run 'valise move forget m1' to remove its record.", ["valise move forget m1"],
            []
        ),
        (
            .restoreRetired(sampleAccount), #"Run “valise move restore '/a b/it'\''s'” to restore it."#,
            [#"valise move restore '/a b/it'\''s'"#], []
        ),
        (
            .removeOrRestoreRetired(sampleAccount),
            #"Run “valise move remove '/a b/it'\''s'” to remove it. Run “valise move restore '/a b/it'\''s'” to restore it."#,
            [#"valise move remove '/a b/it'\''s'"#, #"valise move restore '/a b/it'\''s'"#], []
        ),
        (.showLinkElsewhere, "Run 'valise move link' on the other machine to show the link.", [], []),
        (
            .renewLinkElsewhere,
            "Run 'valise move send --renew' on the other machine, then receive its new link here.",
            [], []
        ),
        (
            .finishElsewhere,
            "Run 'valise move link' and 'valise move finish' on the machine that sent it.", [], []
        ),
        (
            .approveRelays, "Add --approve-relays or list them in ~/.config/valise/relays to approve them.",
            [],
            ["--approve-relays"]
        ),
        (.giveAuthorityKey("/k"), "Add --ca-key to name its location.", [], ["--ca-key"]),
        (
            .setUpRelay("/r"), "Run 'valise-relay init --folder /r --host HOST' to set it up.",
            ["valise-relay init --folder /r --host HOST"], []
        ),
        (
            .chooseDescriptionFolder,
            "Add --descriptions with another folder to send it again and get its links.", [],
            ["--descriptions"]
        ),
        (.resumeJob(3, .passphrase), "Run 'valise jobs resume 3' to enter it.", ["valise jobs resume 3"], []),
        (
            .resumeJob(3, .anotherPassphrase), "Run 'valise jobs resume 3' to enter another passphrase.",
            ["valise jobs resume 3"], []
        ),
        (
            .resumeJob(3, .consent), "Run 'valise jobs resume 3' to answer the question.",
            ["valise jobs resume 3"], []
        ),
        (
            .resumeJob(3, .relayApproval),
            "Run 'valise jobs resume 3' to approve them. Or list them in ~/.config/valise/relays.",
            ["valise jobs resume 3"], []
        ),
        (
            .resumeJob(3, .space), "Free space. Run 'valise jobs resume 3' to continue.",
            ["valise jobs resume 3"], []
        ),
        (.resumeJob(3, .access), "Run 'valise jobs resume 3' to continue.", ["valise jobs resume 3"], []),
        (
            .resumeJob(3, .newerProgram), "Update this program. Run 'valise jobs resume 3' to continue.",
            ["valise jobs resume 3"], []
        ),
        (.resumeJob(nil, .access), "Run 'valise jobs resume' to continue.", [], []),
        (.runJobs, "Run 'valise jobs run' to resume it.", ["valise jobs run"], []),
        (.cancelJob(3), "Run 'valise jobs cancel 3' to cancel it.", ["valise jobs cancel 3"], []),
        (.showJob(3), "Run 'valise jobs show 3' to see why.", ["valise jobs show 3"], []),
        (.listJobs, "Run 'valise jobs list' to see all jobs.", ["valise jobs list"], []),
    ]
}
