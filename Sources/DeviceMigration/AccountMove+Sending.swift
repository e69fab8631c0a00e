public import Accounts
import Failures
import FileTransfers
public import Secrets

/// The sending side.
extension AccountMove {
    /// What ``send(_:passphrase:_:confirm:report:)`` would send. Nothing is written.
    ///
    /// - Parameter passphrase: of both databases.
    /// - Throws: ``DeviceMigrationError``: `sourceInUse`; `passphraseNotSet` for an account without one, or with one that
    ///   an app made by chance (``SendOptions/acceptsRandomPassphrase``); `wrongPassphrase`; ``AccountError``: `notFound`,
    ///   `damaged`, `unsupported` for one that is only to be read, `gone` for one that is retired, `failed` where an
    ///   interrupted act waits to be completed; ``FileError``.
    public func sendPlan(
        _ location: AccountLocation, passphrase: borrowing SecretBytes, _ options: SendOptions,
        progress: ProgressHandler = { _ in }
    ) throws -> SendPlan {
        throw DeviceMigrationError(.failed, "not made yet")
    }

    /// Sends an account, or goes on with what an earlier run had begun; where that was done, its links are returned again,
    /// once it is proved that the account is as it was sent.
    ///
    /// The account is locked while it is read and sent, and nothing is locked afterwards.
    ///
    /// - Parameters:
    ///   - location: the account; it is not changed, but for the folding of a journal.
    ///   - passphrase: of both databases.
    ///   - confirm: sees the plan once, in the first run; false ends with `declined`, and nothing was sent.
    /// - Throws: ``DeviceMigrationError``:
    ///   - `sourceInUse`: a program has the account open;
    ///   - `passphraseNotSet`, `wrongPassphrase`: as ``sendPlan(_:passphrase:_:progress:)``;
    ///   - `declined`: `confirm` said no;
    ///   - `sourceChanged`: the account was written to while it was sent (nothing stays on relays, the next run begins
    ///     anew), or since it was sent (``renew(_:passphrase:_:report:)`` sends it as it is now);
    ///   - `expired`: the link was shown, and is too old; ``renew(_:passphrase:_:report:)`` makes a new one;
    ///   - `moveInUse`: another run is at this move;
    ///   - `wrongState`: the move is being finished or cancelled, or goes the other way (file instead of relays);
    ///   - `interrupted`: the task was cancelled; the next run goes on;
    ///
    ///   ``FileTransferError`` of the relays, after which the next run goes on; as ``sendPlan(_:passphrase:_:progress:)``;
    ///   ``AccountArchiveError`` for the archive file; ``FileError``; whatever `confirm` throws.
    public func send(
        _ location: AccountLocation, passphrase: SharedSecret, _ options: SendOptions,
        confirm: @escaping @Sendable (SendPlan) async throws -> Bool = { _ in true },
        report: @escaping MoveReport = { _ in }
    ) async throws -> SentAccount {
        throw DeviceMigrationError(.failed, "not made yet")
    }

    /// Sends the account anew under another link, as it is now, and deletes what was sent before: for a link that expires
    /// soon or has expired, or an account that was used since. The words are others where the account is another.
    ///
    /// Asks nothing. A run that was stopped is gone on with by this or by ``send(_:passphrase:_:confirm:report:)``; the
    /// former link is good until the new one is there.
    ///
    /// - Throws: as ``send(_:passphrase:_:confirm:report:)``; ``DeviceMigrationError``: `noMove` where nothing was sent
    ///   yet; `unsupported` for an archive file, which does not expire.
    public func renew(
        _ location: AccountLocation, passphrase: SharedSecret, _ options: SendOptions,
        report: @escaping MoveReport = { _ in }
    ) async throws -> SentAccount {
        throw DeviceMigrationError(.failed, "not made yet")
    }

    /// What was sent, again: links, words and times. The account is not looked at, and no relay is asked.
    ///
    /// - Throws: ``DeviceMigrationError``: `noMove`, also where the journal of the upload is gone; `wrongState`
    ///   where it is not sent yet or is being finished; `moveInUse`; ``FileError``.
    public func sent(_ location: AccountLocation) async throws -> SentAccount {
        throw DeviceMigrationError(.failed, "not made yet")
    }

    /// Takes the source out of use, once the other machine has shown the same words: proves that it is as it was sent,
    /// retires it (``AccountRetirement``), deletes the chunks, and removes it where that is wanted.
    ///
    /// Each step may be repeated: what a killed run left is completed by the same call. With `removesSource` it also removes
    /// an account that a finished move left retired.
    ///
    /// - Parameters:
    ///   - words: what the other machine shows.
    ///   - removesSource: whether databases and media go too; else they stay, retired.
    /// - Throws: ``DeviceMigrationError``: `wrongWords`, `sourceChanged`, `sourceInUse`, in which case nothing was changed;
    ///   `noMove`; `wrongState` where it is not sent yet; `alreadyFinished`; `moveInUse`; `interrupted`;
    ///   ``AccountError``; ``FileTransferError``, ``FileError`` after which the next run goes on. Relays that cannot be
    ///   reached are no error: their chunks expire, and are counted.
    public func finish(
        _ location: AccountLocation, words: ProofWords, removesSource: Bool = false,
        report: @escaping MoveReport = { _ in }
    ) async throws -> FinishReport {
        throw DeviceMigrationError(.failed, "not made yet")
    }

    /// Gives a move up, of whichever side. Of the sending side all chunks are deleted, and the source is as it was; of the
    /// receiving side what was received is removed, and an account that is in place already stays, which the report says.
    /// The record goes.
    ///
    /// - Throws: ``DeviceMigrationError``: `noMove`; `alreadyFinished`; `wrongState` where `finish` has already retired
    ///   the source, which only goes on or is brought back by ``AccountRetirement``; `moveInUse`; `interrupted`;
    ///   ``FileTransferError``, ``FileError``: the same call goes on.
    public func cancel(
        _ location: AccountLocation, report: @escaping MoveReport = { _ in }
    ) async throws -> CancelReport {
        throw DeviceMigrationError(.failed, "not made yet")
    }
}
