package import SystemPackage
package import ValiseAccounts
import ValiseConcurrency
package import ValiseFiles
package import ValiseTransfers

/// Moves an account from one machine to another, over relays or as an archive file.
///
/// The sending side: ``send(_:passphrase:_:confirm:report:)`` puts the account on relays without an archive on disk and
/// gives a link and eight words; when the other machine shows the same words, ``finish(_:words:removesSource:report:)``
/// takes the source out of use. Until then the source is only read, but for the folding of a journal that a crashed
/// program left. The receiving side: ``receive(_:to:_:_:report:)``.
///
/// Each step is in a record before and after it is done. A run that is stopped, by an error, by cancelling its task or by a
/// kill, goes on where it was when the same is called again. One run at a time is at a move.
package struct AccountMove: Sendable {
    let transfers: FileTransfers
    let storeFolder: FilePath
    let fileSystem: FileSystem
    /// What the mark of a retired account says of who retired it.
    let tool: String?
    /// Is told of states that were entered; tests stop a run here, as a kill would.
    package var entered: @Sendable (MoveStep) throws -> Void = { _ in }

    /// A wrong passphrase is asked for again so often in one run.
    package static let mostPassphraseTries = 3

    /// - Parameters:
    ///   - transfers: with the relays, and the folder of the journals of uploads.
    ///   - store: a folder of this user for the records of moves, which hold links on the receiving side; it is made where
    ///     it is missing.
    ///   - tool: who retires an account, for its mark: such as `valise 0.7.0`.
    ///   - fileSystem: where files are read and written.
    package init(
        transfers: FileTransfers, store: FilePath, tool: String? = nil, fileSystem: FileSystem = FileSystem()
    ) {
        self.tool = tool
        self.transfers = transfers
        storeFolder = store
        self.fileSystem = fileSystem
    }

    /// All moves of which there is a record, finished ones too.
    /// - Throws: `FileError`.
    package func moves() throws -> [MoveSummary] { try store.summaries() }

    /// The record of an account's move to or from another machine; nil where there is none.
    /// - Throws: `FileError`.
    package func summary(of location: AccountLocation, side: MoveSide) throws -> MoveSummary? {
        let account = try MovedAccount(location, fileSystem)
        return try moves().first { $0.side == side && account.isSame(as: $0) }
    }

    /// Removes the record of a finished move, or of one that cannot be read, with the keys of what it sent: that expires on
    /// its relays. What a move had received whose record cannot be read goes too, where the record still tells the place.
    ///
    /// - Parameters:
    ///   - id: ``MoveSummary/id``.
    ///   - agree: called once nothing refuses it, before anything is removed; throws to stop it.
    /// - Throws: ``DeviceMigrationError``: `noMove`; `moveInUse`; `wrongState` for one that is under way, which is
    ///   cancelled or finished; `unsupported` for one of a newer Valise; `FileTransferError` while another run is at its upload; `FileError`.
    package func forget(_ id: String, agree: () async throws -> Void = {}) async throws {
        let removal = try await BlockingExecutor.shared.run { try store.removal(of: id) }
        try await agree()
        for upload in try await transfers.uploads(ofContentsBeginning: SendingMove.contentIDs(id)) {
            try await transfers.forgetUpload(upload.id)
        }
        try await BlockingExecutor.shared.run { try removal.remove() }
    }

    /// Removes nothing, and throws what ``forget(_:)`` throws of the record: before anybody is asked.
    package func requireForgettable(_ id: String) throws { _ = try store.removal(of: id) }

    var store: MoveStore {
        MoveStore(
            folder: storeFolder, fileSystem: fileSystem, now: transfers.settings.now, entered: entered)
    }
}
