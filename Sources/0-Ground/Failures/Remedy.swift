public import SystemPackage

/// What can be done about a failure or a finding: for a program to offer, and for a user to choose.
///
/// A library says it by type, because only who shows it knows what the user has in front of them: a command line, a button.
/// The associated values name what it is to be done to. `Documentation/decisions/0046` says why, `CONTRIBUTING.md` how to add
/// one.
public enum Remedy: Sendable, Hashable {
    /// An account, by where its databases are.
    public struct Account: Sendable, Hashable, Encodable {
        /// The folder that holds the databases.
        public let directory: FilePath
        /// What their names start with.
        public let prefix: String

        package init(directory: FilePath, prefix: String) {
            self.directory = directory
            self.prefix = prefix
        }

        private enum CodingKeys: String, CodingKey { case directory, prefix }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(directory.string, forKey: .directory)
            try container.encode(prefix, forKey: .prefix)
        }
    }

    /// For what a job needs its user.
    public enum JobNeed: String, Sendable, Hashable, Encodable {
        /// Nobody gave the passphrase yet.
        case passphrase
        /// The passphrase is not that of the account.
        case anotherPassphrase
        /// Nobody has agreed to what it would do.
        case consent
        /// Nobody has approved the relays, which learn the network address.
        case relayApproval
        /// The disk is full.
        case space
        /// The system refused access.
        case access
        /// A newer version of the program wrote it.
        case newerProgram
    }

    // MARK: Everywhere

    /// Ask for the same again: it continues, or begins anew where nothing was changed.
    case giveCommandAgain
    /// Get a newer version of the program.
    case updateProgram
    /// Make so many bytes available on the file system of a folder.
    case freeSpace(Int64, in: FilePath)
    /// Wait until this process has ended, or end it.
    case waitFor(Int32)
    /// Choose another name or place for what is written, or have the file there replaced.
    case replaceFile(FilePath)
    /// The same for a file of several: choose another folder, or have files replaced.
    case replaceExtractedFile(FilePath)

    // MARK: Accounts

    /// Complete the interrupted operation, or roll it back.
    case recoverAccount(Account)
    /// Start any operation on the account: it completes the one that was decided.
    case startAnyOperation(Account)
    /// Check the account for damage.
    case checkAccount(Account)
    /// Recover what can be read of a damaged account into a new one.
    case salvageAccount(Account)
    /// Compact the databases, which also takes in what a crashed program left beside them.
    case compactAccount(Account)
    /// Compare the media with the messages that refer to them.
    case auditMedia(Account)
    /// Bring the encryption to the present format.
    case upgradeCipher(Account)
    /// Set a passphrase, or another one.
    case changePassphrase(Account)
    /// The same; or say that the passphrase is known, though it looks like a random one.
    case changeOrAcceptPassphrase(Account)
    /// Run the pending migrations.
    case migrateAccount(Account)
    /// Start the app once, which brings its schema up to date; or run the pending migrations of ours.
    case updateSchema(Account)
    /// Remove the databases of before the last migration, or bring them back.
    case confirmOrRollBack(Account)
    /// Bring back the databases of before.
    case rollBack(Account)
    /// Say which account of the folder is meant.
    case choosePrefix(FilePath, [String])
    /// Have the salt rebuilt, or put a previous copy of the file in place.
    case repairSalt(Account)
    /// Take what is lost of the schema from an account of the same program and version.
    case takeSchemaFromAnotherAccount
    /// Delete at once instead of moving the files away.
    case deleteAtOnce

    // MARK: Archives

    /// List the entries of the archive.
    case listArchive(FilePath)
    /// Verify the archive, which shows all that is wrong with it.
    case verifyArchive(FilePath)
    /// Import the databases in spite of their damage; of more than one problem a verification shows the others.
    case acceptDamage(FilePath, problems: Int)
    /// Import the entries that the directory names, whatever else the bytes of the archive hold.
    case acceptHiddenEntries(FilePath)
    /// Raise the limit of growth, where the archive is trusted.
    case raiseGrowthLimit
    /// The same, to keep an entry that is otherwise left out.
    case raiseGrowthLimitToKeep
    /// Have the account in this place replaced.
    case replaceAccount(Account)
    /// Keep the newer account in a folder of its own, or have it replaced.
    case keepOrReplaceNewer(Account)
    /// Import without keeping the previous account: there is none.
    case keepNoPreviousAccount

    // MARK: Encrypted files

    /// Write to a file, or accept content that is authenticated only at its end.
    case acceptUnverifiedContent

    // MARK: Moves

    /// Send the account.
    case sendAccount(Account)
    /// Send the account; what was begun continues.
    case continueSending(Account)
    /// Send the account again, under a new link.
    case renewLink(Account)
    /// Send the account as it is now, under a new link, which the other machine then receives.
    case sendChangedAccount(Account)
    /// Compare the words, and retire the account here.
    case finishMove(Account)
    /// Cancel the move, which removes what was received.
    case cancelMove(Account)
    /// Cancel the move once more: it is being cancelled.
    case completeCancellation(Account)
    /// Cancel the move, remove the archive, and send the account again.
    case cancelMoveAndRemove(Account, archive: FilePath)
    /// Remove the record of the move.
    case forgetMove(String)
    /// Bring the retired account back.
    case restoreRetired(Account)
    /// Remove the retired account, or bring it back.
    case removeOrRestoreRetired(Account)
    /// On the other machine: show the link.
    case showLinkElsewhere
    /// On the other machine: send again under a new link.
    case renewLinkElsewhere
    /// On the other machine, which sent the account: show the link, finish the move.
    case finishElsewhere

    // MARK: Relays and transfers

    /// Approve the relays, which learn the network address, or write them into the list of approved ones.
    case approveRelays
    /// Say where the key of the relay's identity is.
    case giveAuthorityKey(FilePath)
    /// Send the file again with another folder for its descriptions.
    case chooseDescriptionFolder

    // MARK: Jobs

    /// Do what the job needs its user for, and resume it. The number is nil for the job that failed with this.
    case resumeJob(Int64?, JobNeed)
    /// Run the pending jobs.
    case runJobs
    /// Cancel the job; the number is nil for the job that failed with this.
    case cancelJob(Int64?)
    /// Show the job, and why it failed.
    case showJob(Int64)
    /// List the jobs.
    case listJobs
}
