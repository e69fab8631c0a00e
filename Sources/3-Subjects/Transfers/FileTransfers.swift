package import SystemPackage
package import ValiseConcurrency
import ValiseFailures
package import ValiseFiles
import ValiseSecrets
package import ValiseXFTPWire

/// Whole files over relays: sent, received, described and deleted.
///
/// A transfer that is stopped, by an error, by cancelling its task or by a kill, goes on where it was when it is asked
/// for again.
package struct FileTransfers: Sendable {
    let relays: any ChunkRelays
    package let settings: TransferSettings
    let fileSystem: FileSystem
    let states: FilePath

    /// - Parameters:
    ///   - relays: where chunks are kept.
    ///   - states: a folder of this user for the journals of uploads, which hold keys; it is made where it is missing.
    ///   - settings: times and numbers.
    ///   - fileSystem: where files are read and written.
    package init(
        relays: any ChunkRelays, states: FilePath, settings: TransferSettings = TransferSettings(),
        fileSystem: FileSystem = FileSystem()
    ) {
        self.relays = relays
        self.states = states
        self.settings = settings
        self.fileSystem = fileSystem
    }

    // MARK: Sending

    /// Sends a file. No encrypted copy of it is written.
    ///
    /// Where an earlier run of the same was stopped, what it sent is not sent again.
    ///
    /// - Throws: ``FileTransferError``; errors of the source and of ``UploadOptions/descriptions``.
    package func uploadStandaloneFile(
        _ source: FilePath, _ options: UploadOptions, report: @escaping EventHandler = { _ in }
    ) async throws -> UploadedFile {
        try await cancellable { try await upload(options, report).run(file: source) }
    }

    /// Sees to it that a file can be sent at all, without asking a relay.
    ///
    /// - Returns: its size, in bytes.
    /// - Throws: `FileError` where it cannot be read or is no regular file; ``FileTransferError``: `tooLarge`.
    package static func checkedSize(
        of source: FilePath, fileSystem: FileSystem = FileSystem()
    ) throws -> Int64 {
        let size = try FileSource(source, fileSystem: fileSystem).size
        try UploadParts.checkSize(size, subject: source.string)
        return size
    }

    /// Those of files of which there is a journal.
    /// - Throws: `FileError`.
    package func interruptedUploads() async throws -> [InterruptedUpload] {
        try await BlockingExecutor.shared.run {
            try UploadJournal.list(in: states, fileSystem: fileSystem)
                .filter { contentID(of: $0) == nil }
                .compactMap(interruptedUpload)
        }
    }

    func interruptedUpload(_ id: String) throws -> InterruptedUpload? {
        do {
            let journal = try UploadJournal.open(id, in: states, fileSystem: fileSystem)
            let state = journal.state
            guard let request = state.request else {
                // Killed before it had sent anything.
                try journal.removeUnused(now: settings.now())
                return nil
            }
            return InterruptedUpload(
                id: id, path: request.label, size: request.source.size, created: request.created,
                recipients: request.recipients, storedChunks: state.storedCount, isComplete: state.isComplete,
                isRunning: false, isDamaged: false, source: request.source.file)
        } catch let error as FileTransferError where error.kind == .alreadySending {
            return InterruptedUpload(unreadable: id, isRunning: true)
        } catch let error as any Failure where UploadJournal.isUnreadable(error) {
            return InterruptedUpload(unreadable: id, isRunning: false)
        } catch let error as FileError where error.code == .notFound {
            // Another run makes or removes it at this moment, or was killed then.
            try UploadJournal.removeRemains(id, in: states, now: settings.now(), fileSystem: fileSystem)
            return nil
        }
    }

    /// Removes what an upload had sent, and its journal; of a complete one too, whose links lead to nothing then. Chunks
    /// that cannot be removed now expire, as do all of one whose journal is damaged.
    /// - Throws: ``FileTransferError``; `FileError`.
    package func discardUpload(_ id: String, report: @escaping EventHandler = { _ in }) async throws {
        try await cancellable {
            let journal = try await BlockingExecutor.shared.run { try openToDiscard(id) }
            guard let journal else { return }
            try await upload(UploadOptions(relays: []), report).remove(journal)
        }
    }

    /// - Returns: nil for one that could not be read and is removed.
    private func openToDiscard(_ id: String) throws -> UploadJournal? {
        do {
            return try UploadJournal.open(id, in: states, fileSystem: fileSystem)
        } catch let error as any Failure where UploadJournal.isUnreadable(error) {
            try UploadJournal.remove(id, in: states, fileSystem: fileSystem)
            return nil
        } catch let error as FileError where error.code == .notFound {
            try discardRemains(id)
            return nil
        }
    }

    /// Removes the folder of an upload that has no journal.
    private func discardRemains(_ id: String) throws {
        let folder = states.appending(id)
        guard try fileSystem.exists(folder) else {
            throw FileTransferError(.other, .notFound, "no such interrupted upload", subject: id)
        }
        try UploadJournal.removeRemains(id, in: states, now: settings.now(), fileSystem: fileSystem)
        guard try fileSystem.exists(folder) else { return }
        throw FileTransferError(
            .alreadySending, .inUse,
            "this upload has no journal: another run is just starting it, or was killed while doing so",
            subject: id, remedy: .tryLater)
    }

    /// Removes the journal of a complete upload, once its links or descriptions are kept.
    /// - Throws: `FileError`; ``FileTransferError`` while another run uses it.
    package func forgetUpload(_ id: String) async throws {
        try await BlockingExecutor.shared.run {
            try UploadJournal.open(id, in: states, fileSystem: fileSystem).remove()
        }
    }

    func upload(_ options: UploadOptions, _ report: @escaping EventHandler) -> FileUpload {
        FileUpload(
            relays: relays, settings: settings, fileSystem: fileSystem, states: states, options: options,
            report: report)
    }

    // MARK: Receiving

    /// Receives a file: verified as a whole before it has its name.
    ///
    /// - Parameters:
    ///   - references: one; or those of all parts of a divided file in any order, which are joined.
    ///   - target: the file, or the folder, that it goes into.
    ///   - options: what the caller chooses.
    ///   - report: sees what happens.
    /// - Throws: ``FileTransferError``; `FileError`; whatever the question of the approval throws.
    package func downloadStandaloneFile(
        _ references: [FileReference], to target: DownloadTarget, _ options: DownloadOptions,
        report: @escaping EventHandler = { _ in }
    ) async throws -> DownloadedFile {
        guard !references.isEmpty else { throw FileTransferError.noLink("no link given") }
        let download = FileDownload(
            relays: relays, settings: settings, fileSystem: fileSystem, options: options, report: report)
        return try await cancellable { try await download.run(references.map(\.description), to: target) }
    }

    /// Tells the relays of a received file that this recipient has it, so that they forget his names of its chunks. For
    /// who did not ask for that with the download, and shows the file first.
    ///
    /// Whatever cannot be told within ``TransferSettings/acknowledgementTime`` is a warning.
    ///
    /// - Parameters:
    ///   - file: what was received.
    ///   - approval: of relays that the download did not ask for anything, as an earlier one had received the
    ///     file.
    ///   - report: sees what happens.
    package func acknowledge(
        _ file: DownloadedFile, _ approval: RelayApproval, report: @escaping EventHandler = { _ in }
    ) async {
        await file.receipt?.give(
            Acknowledgement(relays: relays, settings: settings, report: report), approval)
    }

    /// The same for a file that an earlier run received from these links.
    package func acknowledge(
        _ references: [FileReference], _ approval: RelayApproval, report: @escaping EventHandler = { _ in }
    ) async {
        let download = FileDownload(
            relays: relays, settings: settings, fileSystem: fileSystem,
            options: DownloadOptions(approval: approval), report: report)
        await download.acknowledge(references.map(\.description))
    }

    // MARK: Describing

    /// What is known without asking any relay.
    package static func standaloneFileInfo(_ reference: FileReference) -> StandaloneFileInfo {
        StandaloneFileInfo(reference)
    }

    // MARK: Deleting

    /// Deletes a file from its relays.
    ///
    /// - Parameters:
    ///   - description: the sender's.
    ///   - report: sees what happens.
    /// - Throws: ``FileTransferError``: `invalidLink`, `cancelled`. What happens to single chunks is in the report.
    package func deleteStandaloneFile(
        _ description: FileDescription, report: @escaping EventHandler = { _ in }
    ) async throws -> DeletionReport {
        try description.checkIsSenders()
        let deletion = ChunkDeletion(relays: relays, settings: settings, report: report)
        return try await cancellable {
            DeletionReport(chunks: try await deletion.delete(ChunkDeletion.Target.all(of: description)))
        }
    }

    func cancellable<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch is CancellationError {
            throw FileTransferError(
                .cancelled, .interrupted, "the transfer was interrupted and can be resumed",
                remedy: .giveCommandAgain)
        }
    }
}
