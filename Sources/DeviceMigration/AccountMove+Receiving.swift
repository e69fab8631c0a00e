public import Accounts
import FileTransfers

/// The receiving side.
extension AccountMove {
    /// What links say, without asking any relay.
    ///
    /// - Throws: ``DeviceMigrationError``: `wrongLink` for a text that is no link to a file, or none at all.
    public static func receiveInfo(_ links: [String]) throws -> ReceiveInfo {
        throw DeviceMigrationError(.failed, "not made yet")
    }

    /// Receives an account and puts it in place, or goes on with what an earlier run had begun into the same place; where
    /// that was finished, and the same links are given, what it returned is returned again.
    ///
    /// Downloads into a hidden folder beside the account, verifies the whole archive, proves the passphrase, imports as one
    /// act, makes the proof, then asks about schema and network configuration, and removes what was received.
    ///
    /// - Parameters:
    ///   - source: links or an archive file; nil to go on with what was begun. Others than those that were begun with take
    ///     their place as long as the account is not in place, as after a renewal.
    ///   - location: where the account shall be. The folder is made where it is missing.
    ///   - questions: what a person answers: the passphrase, whether to begin, to migrate, to take the network
    ///     configuration.
    /// - Throws: ``DeviceMigrationError``:
    ///   - `wrongLink`: a text is no link to a file; nothing was begun;
    ///   - `accountExists`: an account is in place, and may not be replaced; nothing was received;
    ///   - `targetInUse`: a program has the account in place open;
    ///   - `declined`: ``ReceiveQuestions/confirm`` said no;
    ///   - `noSpace`: for the download and the import together, told before anything is received;
    ///   - `expired`: the relays keep it no longer; on the other machine `move send --renew` makes a new link;
    ///   - `damaged`: what the relays hold is not what the link promises; nothing of it is kept;
    ///   - `partsMissing`: the links are not all that belong together;
    ///   - `notAnArchive`: what was received is no archive of an account, and is kept until ``cancel(_:report:)``;
    ///   - `wrongPassphrase`: after the last try; what was received is kept, and the next run asks again;
    ///   - `otherMove`: other links were given, and the account is in place already from the first ones;
    ///   - `noMove`: `source` is nil, and nothing was begun here;
    ///   - `moveInUse`, `wrongState` (being cancelled), `alreadyFinished`, `interrupted`.
    ///
    ///   ``FileTransferError``: of relays (`fileNotApproved`, `relays`, `blocked`); ``AccountArchiveError``, ``ZipError``,
    ///   ``AccountError`` of the import; ``MaintenanceError``, ``MigrationError``; ``FileError``; whatever `questions`
    ///   throw. In each case the account in place is the former one or the new one, and the next run goes on.
    public func receive(
        _ source: MoveSource?, to location: AccountLocation, _ options: ReceiveOptions,
        _ questions: ReceiveQuestions, report: @escaping MoveReport = { _ in }
    ) async throws -> ReceivedAccount {
        throw DeviceMigrationError(.failed, "not made yet")
    }
}
