public import SystemPackage
public import ValiseAccounts
public import ValiseMaintenance
public import ValiseMedia
public import ValiseMoves
public import ValiseXFTPWire

/// A decision for the user. An operation asks when it has looked at all that could refuse it, and before it changes anything.
///
/// Where nobody answers, it is refused, also by default: ``OperationError`` whose ``OperationError/need`` is `agreement`, or what
/// the case says. A program that lets scripts do some of it without a question answers yes for them, as the commands of Valise do
/// for ``confirmMigration(_:_:)``, ``forgetMove(_:)``, ``deleteFiles(_:)`` and ``removeChunk(recipient:reason:)``: nothing else
/// is lost by these than what the user named.
public enum Question: Sendable {
    /// These relays, which are not in the user's list, will see the user's network address.
    case useRelays([XFTPAddress])
    /// The same relays will be told that an account has arrived, which an earlier run received.
    case notifyRelays([XFTPAddress])
    /// The account will be sent as planned.
    case sendAccount(AccountLocation, SendPlan)
    /// The account of a link will be received. Includes the relays in the user's list, and those of the link about which
    /// ``useRelays(_:)`` asks next: whoever shows them here can answer that with the same yes.
    case receiveAccount(
        AccountLocation, ReceiveInfo, knownRelays: Set<String>, newRelays: [XFTPAddress])
    /// The received account is in place; its schema is older than this program.
    case migrateReceived(AccountMigrationPlan)
    /// The sender used these network settings.
    case useNetworkConfig(NetworkConfig)
    /// The databases and media of an account that has moved will be removed for good.
    case removeMovedAccount(AccountLocation)
    /// A sent account will be retired although no machine has confirmed that it received it: it is known to be on the relays
    /// still, or they cannot be asked.
    case finishUnconfirmed(isKnown: Bool)
    /// A move will be cancelled although the other machine may have received the account: relays no longer have it.
    case cancelReceived(AccountLocation)
    /// An account will be replaced by that of an archive, and not kept. Nothing refuses the import; includes what the user
    /// should know about the archive's age, nil for nothing.
    case replaceAccount(AccountLocation, warning: String?)
    /// After an export, these earlier archives will be removed. It is asked also where there are none yet: a run in which
    /// nobody can answer fails at once, and not in the first night in which there is one.
    case removeArchives([FilePath])
    /// The schema of an account will be migrated.
    case migrate(AccountMigrationPlan)
    /// The databases from before the last migration will be restored: what changed since is lost.
    case rollBackMigration(AccountLocation)
    /// The databases from before the last migration will be removed, so that it cannot be rolled back any more.
    case confirmMigration(AccountLocation, ConfirmedMigration)
    /// Files will be moved away, or deleted for good. Where nobody answers, they are moved away, and not deleted.
    case purgeMedia(MediaPurgePlan, deletes: Bool)
    /// An account will be created whose databases are not encrypted.
    case createUnencrypted(AccountLocation)
    /// The encryption of an account will be removed.
    case removeEncryption(AccountLocation)
    /// The passphrase of the account in this folder will be removed from key stores, and no other key store of this session is
    /// known to have it.
    case forgetOnlyPassphrase(of: FilePath)
    /// The databases and media of a retired account will be removed for good.
    case removeRetired(AccountLocation)
    /// A retired account will be used again here, as it was when it was sent. Where that is known, with the time at which it was
    /// moved, as `2026-01-31T12:00:00Z`.
    case restoreRetired(AccountLocation, moved: String?)
    /// The record of a move will be removed; of one that cannot be read, with the keys of what was sent.
    case forgetMove(OperationRecord)
    /// The files of these sender's descriptions will be deleted from their relays.
    case deleteFiles([FilePath])
    /// The chunk that has a recipient of this name, in base64url, will be removed from a relay that runs here; with a reason, who
    /// asks for it is told that it was blocked.
    case removeChunk(recipient: String, reason: BlockingReason?)
    /// Snapshots of a repository will be removed, and data with them where the plan says so.
    case forgetSnapshots(PlannedForgetting)
    /// Data of a repository will be removed that no snapshot uses.
    case pruneRepository(PlannedPrune)
    /// Files will be removed from a store.
    case removeFromStore(PlannedRemoval)
    /// Files will be removed, or versions of conflicts replaced, in a folder or a store.
    case synchronize(PlannedSync)
    /// Objects of a store will be removed that no file uses.
    case collectStore(PlannedCollection)
    /// The database of a store of Session will be replaced by that of a guard, which was taken at this time.
    case restoreSession(FilePath, taken: String)
    /// A guard of a store of Session will be removed for good.
    case removeSessionGuard(FilePath)
}
