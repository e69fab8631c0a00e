import SystemPackage

extension Remedy: Encodable {
    /// What a remedy consists of, for JSON: its kind, which is the name of the case or an earlier one, and what it is to be done to.
    fileprivate struct Fields: Encodable {
        let kind: String
        var account: AccountFields?
        var path: String?
        var bytes: Int64?
        var process: Int32?
        var problems: Int?
        var prefixes: [String]?
        var move: String?
        var job: Int64?
        var need: JobNeed?
    }

    fileprivate struct AccountFields: Encodable {
        let directory: String
        let prefix: String
    }

    /// One object, flat: `{"kind":"salvageAccount","account":{"directory":"/a","prefix":"simplex_v1"}}`.
    public func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }

    private var fields: Fields {
        switch self {
        case .giveCommandAgain: Fields(kind: "giveCommandAgain")
        case .giveOriginalCommandAgain: Fields(kind: "giveOriginalCommandAgain")
        case .updateProgram: Fields(kind: "updateProgram")
        case .installLibarchive: Fields(kind: "installLibarchive")
        case .installLibargon2: Fields(kind: "installLibargon2")
        case .installLibblake3: Fields(kind: "installLibblake3")
        case .installLibcurl: Fields(kind: "installLibcurl")
        case .installLibfuse: Fields(kind: "installLibfuse")
        case .installLibpq: Fields(kind: "installLibpq")
        case .installLibvips: Fields(kind: "installLibvips")
        case .installFfmpeg: Fields(kind: "installFfmpeg")
        case .checkServerAddress: Fields(kind: "checkServerAddress")
        case .checkServerPassword: Fields(kind: "checkServerPassword")
        case .setStorageKeys: Fields(kind: "setStorageKeys")
        case .setClock: Fields(kind: "setClock")
        case .freeSpace(let bytes, let folder): Fields(kind: "freeSpace", path: folder.string, bytes: bytes)
        case .waitFor(let process): Fields(kind: "waitFor", process: process)
        case .replaceFile(let path): Fields(kind: "replaceFile", path: path.string)
        case .replaceExtractedFile(let path): Fields(kind: "replaceExtractedFile", path: path.string)
        case .makePrivate(let path, _, _): Fields(kind: "makePrivate", path: path.string)
        case .createFolder(let path): Fields(kind: "createFolder", path: path.string)
        case .tryLater: Fields(kind: "tryLater")
        case .closeProgram: Fields(kind: "closeProgram")
        case .chooseAnotherName: Fields(kind: "chooseAnotherName")
        case .chooseAnotherFolder: Fields(kind: "chooseAnotherFolder")
        case .chooseAnotherFileSystem: Fields(kind: "chooseAnotherFileSystem")
        case .moveAway(let path): Fields(kind: "moveAway", path: path.string)
        case .removeOrChooseAnotherName(let path):
            Fields(kind: "removeOrChooseAnotherName", path: path.string)
        case .runAsOwner: Fields(kind: "runAsOwner")
        case .nameFolder(let folder): Fields(kind: "nameFolder", path: folder.string)
        case .nameFile(let path): Fields(kind: "nameFile", path: path.string)
        case .nameSingleFiles: Fields(kind: "nameSingleFiles")
        case .renameFile: Fields(kind: "renameFile")
        case .moveToFileSystem(let folder): Fields(kind: "moveToFileSystem", path: folder.string)
        case .serveByWebDAV: Fields(kind: "serveByWebDAV")
        case .unmount(let path): Fields(kind: "unmount", path: path.string)
        case .makeReadable(let path): Fields(kind: "makeReadable", path: path.string)
        case .removeWhenUnneeded(let path): Fields(kind: "removeWhenUnneeded", path: path.string)
        case .checkSystemLog: Fields(kind: "checkSystemLog")
        case .recoverAccount(let account): Fields(kind: "recoverAccount", account: account)
        case .startAnyOperation(let account): Fields(kind: "startAnyOperation", account: account)
        case .checkAccount(let account): Fields(kind: "checkAccount", account: account)
        case .salvageAccount(let account): Fields(kind: "salvageAccount", account: account)
        case .leaveOutOrphans(let account): Fields(kind: "leaveOutOrphans", account: account)
        case .compactAccount(let account): Fields(kind: "compactAccount", account: account)
        case .auditMedia(let account): Fields(kind: "auditMedia", account: account)
        case .upgradeCipher(let account): Fields(kind: "upgradeCipher", account: account)
        case .changePassphrase(let account): Fields(kind: "changePassphrase", account: account)
        case .changeOrAcceptPassphrase(let account):
            Fields(kind: "changeOrAcceptPassphrase", account: account)
        case .updateSchema(let account): Fields(kind: "updateSchema", account: account)
        case .confirmOrRollBack(let account): Fields(kind: "confirmOrRollBack", account: account)
        case .rollBack(let account): Fields(kind: "rollBack", account: account)
        case .choosePrefix(let folder, let prefixes):
            Fields(kind: "choosePrefix", path: folder.string, prefixes: prefixes)
        case .repairSalt(let account): Fields(kind: "repairSalt", account: account)
        case .takeSchemaFromAnotherAccount: Fields(kind: "takeSchemaFromAnotherAccount")
        case .deleteAtOnce: Fields(kind: "deleteAtOnce")
        case .mergeJournalElsewhere: Fields(kind: "mergeJournalElsewhere")
        case .turnOffLogElsewhere: Fields(kind: "turnOffLogElsewhere")
        case .givePassphrase: Fields(kind: "givePassphrase")
        case .giveStoreKey: Fields(kind: "giveStoreKey")
        case .chooseAnotherPrefix: Fields(kind: "chooseAnotherPrefix")
        case .finishSendingInApp: Fields(kind: "finishSendingInApp")
        case .useKnownArchive: Fields(kind: "useKnownArchive")
        case .extractArchive(let path): Fields(kind: "extractArchive", path: path.string)
        case .listArchive(let path): Fields(kind: "listArchive", path: path.string)
        case .exportCompleteAccount: Fields(kind: "exportCompleteAccount")
        case .extractWithoutDecrypting: Fields(kind: "extractWithoutDecrypting")
        case .extractWithAnotherProgram: Fields(kind: "extractWithAnotherProgram")
        case .importIntoAnotherFolder: Fields(kind: "importIntoAnotherFolder")
        case .verifyArchive(let path): Fields(kind: "verifyArchive", path: path.string)
        case .salvageArchive(let path): Fields(kind: "salvageArchive", path: path.string)
        case .importArchive(let path, let account):
            Fields(kind: "importArchive", account: account, path: path.string)
        case .acceptDamage(let path, let problems):
            Fields(kind: "acceptDamage", path: path.string, problems: problems)
        case .acceptHiddenEntries(let path): Fields(kind: "acceptHiddenEntries", path: path.string)
        case .raiseSizeLimit: Fields(kind: "raiseSizeLimit")
        case .raiseGrowthLimit: Fields(kind: "raiseGrowthLimit")
        case .raiseGrowthLimitToKeep: Fields(kind: "raiseGrowthLimitToKeep")
        case .replaceAccount(let account): Fields(kind: "replaceAccount", account: account)
        case .keepOrReplaceNewer(let account): Fields(kind: "keepOrReplaceNewer", account: account)
        case .keepNoPreviousAccount: Fields(kind: "keepNoPreviousAccount")
        case .chooseFolderOrReplace(let account): Fields(kind: "chooseFolderOrReplace", account: account)
        case .acceptUnverifiedContent: Fields(kind: "acceptUnverifiedContent")
        case .keepOrRemovePartial(let path): Fields(kind: "keepOrRemovePartial", path: path.string)
        case .sendAccount(let account): Fields(kind: "sendAccount", account: account)
        case .continueSending(let account): Fields(kind: "continueSending", account: account)
        case .resumeReceiving(let account): Fields(kind: "resumeReceiving", account: account)
        case .resumeOrCancelReceiving(let account):
            Fields(kind: "resumeOrCancelReceiving", account: account)
        case .continueOrCancelMove(let account): Fields(kind: "continueOrCancelMove", account: account)
        case .renewLink(let account): Fields(kind: "renewLink", account: account)
        case .sendChangedAccount(let account): Fields(kind: "sendChangedAccount", account: account)
        case .finishMove(let account): Fields(kind: "finishMove", account: account)
        case .cancelMove(let account): Fields(kind: "cancelMove", account: account)
        case .completeCancellation(let account): Fields(kind: "completeCancellation", account: account)
        case .cancelMoveAndRemove(let account, let archive):
            Fields(kind: "cancelMoveAndRemove", account: account, path: archive.string)
        case .forgetMove(let move): Fields(kind: "forgetMove", move: move)
        case .restoreRetired(let account): Fields(kind: "restoreRetired", account: account)
        case .removeOrRestoreRetired(let account): Fields(kind: "removeOrRestoreRetired", account: account)
        case .showLinkElsewhere: Fields(kind: "showLinkElsewhere")
        case .renewLinkElsewhere: Fields(kind: "renewLinkElsewhere")
        case .finishElsewhere: Fields(kind: "finishElsewhere")
        case .closeUntilMoved(let process): Fields(kind: "closeUntilMoved", process: process)
        case .giveOneSource: Fields(kind: "giveOneSource")
        case .giveAllLinks: Fields(kind: "giveAllLinks")
        case .compareWordsAgain: Fields(kind: "compareWordsAgain")
        case .enterShownWords: Fields(kind: "enterShownWords")
        case .approveRelays: Fields(kind: "approveRelays")
        case .giveAuthorityKey(let path): Fields(kind: "giveAuthorityKey", path: path.string)
        case .storeKeyUnencrypted: Fields(kind: "storeKeyUnencrypted")
        case .setUpRelay(let folder): Fields(kind: "setUpRelay", path: folder.string)
        case .chooseDescriptionFolder: Fields(kind: "chooseDescriptionFolder")
        case .askForNewLink: Fields(kind: "askForNewLink")
        // Its name before.
        case .copyCompleteLink: Fields(kind: "copyWholeLink")
        case .useSenderDescription: Fields(kind: "useSenderDescription")
        case .sendFileAgain: Fields(kind: "sendFileAgain")
        case .startTransferOver: Fields(kind: "startTransferOver")
        case .sendToFewer: Fields(kind: "sendToFewer")
        case .sendChunksSingly: Fields(kind: "sendChunksSingly")
        case .receivePartsSingly: Fields(kind: "receivePartsSingly")
        case .useAnotherRelay: Fields(kind: "useAnotherRelay")
        case .checkRelayAddress: Fields(kind: "checkRelayAddress")
        case .checkRelayPassword: Fields(kind: "checkRelayPassword")
        case .checkClock: Fields(kind: "checkClock")
        case .exportStoreLog: Fields(kind: "exportStoreLog")
        case .checkRelayLog: Fields(kind: "checkRelayLog")
        case .chooseAnotherAddress: Fields(kind: "chooseAnotherAddress")
        case .chooseUnprivilegedPort: Fields(kind: "chooseUnprivilegedPort")
        case .stopOrChoosePort: Fields(kind: "stopOrChoosePort")
        case .stopRelayOrChooseFolder: Fields(kind: "stopRelayOrChooseFolder")
        case .runByHand: Fields(kind: "runByHand")
        case .copyPrivately: Fields(kind: "copyPrivately")
        case .unlockKeyring: Fields(kind: "unlockKeyring")
        case .createKeyring: Fields(kind: "createKeyring")
        case .resumeJob(let job, let need): Fields(kind: "resumeJob", job: job, need: need)
        case .runJobs: Fields(kind: "runJobs")
        case .cancelJob(let job): Fields(kind: "cancelJob", job: job)
        case .showJob(let job): Fields(kind: "showJob", job: job)
        case .listJobs: Fields(kind: "listJobs")
        case .retryJob(let job): Fields(kind: "retryJob", job: job)
        case .removeJob(let job): Fields(kind: "removeJob", job: job)
        case .restoreQueueKey(let path): Fields(kind: "restoreQueueKey", path: path.string)
        case .startEmptyQueue(let path): Fields(kind: "startEmptyQueue", path: path.string)
        }
    }
}

extension Remedy.Fields {
    fileprivate init(kind: String, account: Remedy.Account, path: String? = nil) {
        let fields = Remedy.AccountFields(directory: account.directory.string, prefix: account.prefix)
        self.init(kind: kind, account: fields, path: path)
    }
}
