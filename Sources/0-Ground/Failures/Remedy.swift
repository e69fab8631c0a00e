public import SystemPackage

/// What can be done about a failure or a finding, for a program to offer and a user to choose.
///
/// The library gives it as a type, because only the program that shows it knows its user interface: a command line, a
/// button. The associated values name the target; what is no operation and no option has its words in ``advice``. See `Documentation/decisions/0046` for the reasons and `CONTRIBUTING.md`
/// for how to add one.
public enum Remedy: Sendable, Hashable {
    /// An account, by where its databases are.
    public struct Account: Sendable, Hashable {
        /// The folder that holds the databases.
        public let directory: FilePath
        /// What their names start with.
        public let prefix: String

        package init(directory: FilePath, prefix: String) {
            self.directory = directory
            self.prefix = prefix
        }
    }

    /// What a job needs its user for.
    public enum JobNeed: String, Sendable, Hashable, Encodable {
        /// No passphrase was given yet.
        case passphrase
        /// The passphrase is not the account's.
        case anotherPassphrase
        /// The user has not agreed to the operation.
        case consent
        /// The user has not approved the relays, which learn the network address.
        case relayApproval
        /// The disk is full.
        case space
        /// The system refused access.
        case access
        /// A newer version of the program wrote it.
        case newerProgram
    }

    // MARK: Everywhere

    /// Repeat the request: it continues, or starts again where nothing was changed.
    case giveCommandAgain
    /// Repeat the request that made a job: the job itself cannot be read.
    case giveOriginalCommandAgain
    /// Get a newer version of the program.
    case updateProgram
    /// Install libarchive, which reads and writes tar, cpio and 7z archives.
    case installLibarchive
    /// Install libargon2, which derives keys of stores of tcfs from passphrases.
    case installLibargon2
    /// Install libblake3, whose digests name what stores of tcfs contain.
    case installLibblake3
    /// Install libcurl, through which servers are reached.
    case installLibcurl
    /// Install libfuse with its helper program, which mount file systems.
    case installLibfuse
    /// Install libpq, through which servers of PostgreSQL are reached.
    case installLibpq
    /// Install libvips, which prepares pictures.
    case installLibvips
    /// Install ffmpeg, which looks into videos and sounds.
    case installFfmpeg
    /// Check the address of a server.
    case checkServerAddress
    /// Check the user name and the password, or the keys, that a server asks for.
    case checkServerPassword
    /// Give the keys of an S3 server to the program.
    case setStorageKeys
    /// Set the clock of this machine.
    case setClock
    /// Free this many bytes on the file system of a folder.
    case freeSpace(Int64, in: FilePath)
    /// Wait until this process has ended, or end it.
    case waitFor(Int32)
    /// Choose another name or place for what is written, or have the file there replaced.
    case replaceFile(FilePath)
    /// The same for one of several files: choose another folder, or have files replaced.
    case replaceExtractedFile(FilePath)
    /// Let nobody but the user read and change a file, or enter a folder; and change the secret that others may have read
    /// there, if there is one: what to call it, such as `passphrase`.
    case makePrivate(FilePath, isFolder: Bool, secret: String? = nil)
    /// Create the missing folder that an output goes to.
    case createFolder(FilePath)
    /// Repeat the request later: what is in the way passes by itself.
    case tryLater
    /// Close the program that changes what is read, and repeat the request.
    case closeProgram
    /// Choose another name for what is written.
    case chooseAnotherName
    /// Choose another folder for what is written.
    case chooseAnotherFolder
    /// Choose a place on another file system.
    case chooseAnotherFileSystem
    /// Move a file or folder away or remove it: its name is needed.
    case moveAway(FilePath)
    /// Remove the file, or choose another name for what is written.
    case removeOrChooseAnotherName(FilePath)
    /// Repeat the request as the user whom the folder belongs to.
    case runAsOwner
    /// Name this folder instead of what is in it, or belongs to it.
    case nameFolder(FilePath)
    /// Name a file in the folder instead of the folder, such as this one.
    case nameFile(FilePath)
    /// Name single files instead of what was named.
    case nameSingleFiles
    /// Give the file that is read another name.
    case renameFile
    /// Move it to the file system of a folder, so that both are on one.
    case moveToFileSystem(of: FilePath)
    /// Make a file readable, and repeat the request.
    case makeReadable(FilePath)
    /// Remove a file or folder once it is not needed any more.
    case removeWhenUnneeded(FilePath)
    /// Serve files by WebDAV instead of mounting them.
    case serveByWebDAV
    /// Unmount what another program left mounted on a folder.
    case unmount(FilePath)
    /// Look into the log of the system, which says more of what the disk could not do.
    case checkSystemLog

    // MARK: Accounts

    /// Complete the interrupted operation, or roll it back.
    case recoverAccount(Account)
    /// Start any operation on the account: it completes the committed one.
    case startAnyOperation(Account)
    /// Check the account for damage.
    case checkAccount(Account)
    /// Recover readable data from a damaged account into a new one.
    case salvageAccount(Account)
    /// Recover the account into a new one without rows that refer to missing rows.
    case leaveOutOrphans(Account)
    /// Compact the databases, which also merges a journal left by a crashed program.
    case compactAccount(Account)
    /// Compare the media with the messages that refer to them.
    case auditMedia(Account)
    /// Upgrade the encryption to the current format.
    case upgradeCipher(Account)
    /// Set a passphrase, or another one.
    case changePassphrase(Account)
    /// The same; or say that the passphrase is known, though it looks like a random one.
    case changeOrAcceptPassphrase(Account)
    /// Start the app once, which updates its schema; or run the pending migrations of Valise.
    case updateSchema(Account)
    /// Remove the databases from before the last migration, or restore them.
    case confirmOrRollBack(Account)
    /// Restore the previous databases.
    case rollBack(Account)
    /// Choose one of the accounts in the folder.
    case choosePrefix(FilePath, [String])
    /// Have the salt rebuilt, or put a previous copy of the file in place.
    case repairSalt(Account)
    /// Take the lost part of the schema from an account of the same program and version.
    case takeSchemaFromAnotherAccount
    /// Delete immediately instead of quarantining the files.
    case deleteAtOnce
    /// Open the database once with the program that left its journal, which merges it.
    case mergeJournalElsewhere
    /// Turn off the write-ahead log of the database with the program that turned it on.
    case turnOffLogElsewhere
    /// Give the passphrase.
    case givePassphrase
    /// Give the master key of a store, what it is derived from, or the identity of a device.
    case giveStoreKey
    /// Choose another folder for a new account, or another prefix.
    case chooseAnotherPrefix
    /// Run the app until it has sent the file.
    case finishSendingInApp

    // MARK: Archives

    /// List the entries of the archive.
    case listArchive(FilePath)
    /// Export the account without a selection of its media.
    case exportCompleteAccount
    /// Extract the encrypted media as they are.
    case extractWithoutDecrypting
    /// Extract the entry with another program.
    case extractWithAnotherProgram
    /// Import the archive again into another folder, as an account that can be used.
    case importIntoAnotherFolder
    /// Verify the archive, which shows all its problems.
    case verifyArchive(FilePath)
    /// Use an archive of a kind that is read: zip, tar (also packed with gzip, xz or Zstandard), cpio or 7z.
    case useKnownArchive
    /// Extract the archive into a folder, and use that.
    case extractArchive(FilePath)
    /// Recover the readable entries of a damaged archive into a new one.
    case salvageArchive(FilePath)
    /// Import the archive, instead of receiving it as a move.
    case importArchive(FilePath, Account)
    /// Import the damaged databases anyway. If there is more than one problem, verifying the archive shows the others.
    case acceptDamage(FilePath, problems: Int)
    /// Import the entries listed in the directory, whatever else the archive contains.
    case acceptHiddenEntries(FilePath)
    /// Raise the limit of the unpacked size.
    case raiseSizeLimit
    /// Raise the growth limit, if the archive is trusted.
    case raiseGrowthLimit
    /// The same, to keep an entry that would otherwise be left out.
    case raiseGrowthLimitToKeep
    /// Have the account here replaced.
    case replaceAccount(Account)
    /// Keep the newer account in its own folder, or have it replaced.
    case keepOrReplaceNewer(Account)
    /// Import without keeping the previous account: there is none.
    case keepNoPreviousAccount
    /// Choose another folder, or have the account here replaced.
    case chooseFolderOrReplace(Account)

    // MARK: Encrypted files

    /// Write to a file, or accept content that is authenticated only at its end.
    case acceptUnverifiedContent
    /// Give a complete encrypted file of an interrupted run its name, or remove it and its key.
    case keepOrRemovePartial(FilePath)

    // MARK: Moves

    /// Send the account.
    case sendAccount(Account)
    /// Send the account: the started move continues.
    case continueSending(Account)
    /// Receive the account: the started move continues.
    case resumeReceiving(Account)
    /// Receive the account without a link: the started move continues. Or cancel that move.
    case resumeOrCancelReceiving(Account)
    /// Do the next step of the move, which its status shows, or cancel it.
    case continueOrCancelMove(Account)
    /// Send the account again, under a new link.
    case renewLink(Account)
    /// Send the account as it is now, under a new link, which the other machine then receives.
    case sendChangedAccount(Account)
    /// Compare the words, and retire the account here.
    case finishMove(Account)
    /// Cancel the move, which removes what was received.
    case cancelMove(Account)
    /// Cancel the move again, to complete the cancellation.
    case completeCancellation(Account)
    /// Cancel the move, remove the archive, and send the account again.
    case cancelMoveAndRemove(Account, archive: FilePath)
    /// Remove the record of the move.
    case forgetMove(String)
    /// Restore the retired account.
    case restoreRetired(Account)
    /// Remove the retired account, or restore it.
    case removeOrRestoreRetired(Account)
    /// On the other machine: show the link.
    case showLinkElsewhere
    /// On the other machine: send again under a new link.
    case renewLinkElsewhere
    /// On the other machine, which sent the account: show the link, finish the move.
    case finishElsewhere
    /// Close the program that uses the account, and do not start it again before the account is moved.
    case closeUntilMoved(Int32?)
    /// Give the links of one account, or one archive.
    case giveOneSource
    /// Give the links of all parts at once.
    case giveAllLinks
    /// Compare the words again, and check for missing files on the other machine.
    case compareWordsAgain
    /// Enter all words as the other machine shows them.
    case enterShownWords

    // MARK: Relays and transfers

    /// Approve the relays, which learn the network address, or add them to the list of approved relays.
    case approveRelays
    /// Give the location of the relay's identity key.
    case giveAuthorityKey(FilePath)
    /// Store the private key without a passphrase.
    case storeKeyUnencrypted
    /// Set up a relay in the folder.
    case setUpRelay(FilePath)
    /// Send the file again with another folder for its descriptions.
    case chooseDescriptionFolder
    /// Ask the sender to send the file again, and use the new link.
    case askForNewLink
    /// Copy the link again, all of it.
    case copyCompleteLink
    /// Delete the file with its sender's description instead of a recipient's.
    case useSenderDescription
    /// Send the file again.
    case sendFileAgain
    /// Discard the transfer, whose journal cannot be read, and start it again.
    case startTransferOver
    /// Send the file to fewer recipients at once.
    case sendToFewer
    /// Send one chunk at a time.
    case sendChunksSingly
    /// Receive the parts of a file one by one.
    case receivePartsSingly
    /// Use another relay, or repeat the request later.
    case useAnotherRelay
    /// Check the relay's address.
    case checkRelayAddress
    /// Check the password in the relay's address, or use another relay.
    case checkRelayPassword
    /// Check the clock of this machine, or ask the relay's operator for valid certificates.
    case checkClock
    /// Export the relay's database to a store log, which the settings can name.
    case exportStoreLog
    /// Look into the relay's log.
    case checkRelayLog
    /// Choose another address or port for the relay.
    case chooseAnotherAddress
    /// Choose a port above 1023, which any user may listen on.
    case chooseUnprivilegedPort
    /// Stop the program that listens there, or choose another port.
    case stopOrChoosePort
    /// Stop the relay that uses the folder, or choose another folder.
    case stopRelayOrChooseFolder

    // MARK: Keys

    /// Run the passphrase command by hand.
    case runByHand
    /// Make a copy of the file that is the user's own and that nobody else can read.
    case copyPrivately
    /// Unlock the keyring in the settings of the desktop, and repeat the request.
    case unlockKeyring
    /// Create a keyring in the settings of the desktop.
    case createKeyring

    // MARK: Jobs

    /// Provide what the job needs, and resume it. The number is nil for the job that failed with this.
    case resumeJob(Int64?, JobNeed)
    /// Run the pending jobs.
    case runJobs
    /// Cancel the job; the number is nil for the job that failed with this.
    case cancelJob(Int64?)
    /// Show the job, and why it failed.
    case showJob(Int64)
    /// List the jobs.
    case listJobs
    /// Run a job again that has ended.
    case retryJob(Int64)
    /// Remove another job first, which depends on this one.
    case removeJob(Int64)
    /// Put the right key into the folder of the job queue, or move the key and the database away to start with an empty
    /// queue.
    case restoreQueueKey(FilePath)
    /// Move the database of the job queue away, to start with an empty queue.
    case startEmptyQueue(FilePath)
}
