package import ValiseConcurrency

/// What is sent as a file and is none. Its uploads belong to whoever asked for them: they are not among
/// ``FileTransfers/interruptedUploads()``.
extension FileTransfers {
    /// Sends a content. No copy of it is written, neither unencrypted nor encrypted.
    ///
    /// Where an earlier run of the same ``UploadContent/id`` was stopped, what it sent is not sent again; where it was
    /// complete, the same links are returned without a connection, however old they are, until
    /// ``forgetUpload(_:)`` or ``discardUpload(_:report:)``. What was sent of another version, or with another name,
    /// other recipients or other data for the link, is removed from the relays, complete or not, and the content is sent
    /// anew; so is one that is complete on relays that are not among ``UploadOptions/relays``.
    ///
    /// - Throws: ``FileTransferError``: `sourceChanged` where ``UploadContent/checkUnchanged`` throws, whose error is the
    ///   cause, and nothing of the upload stays then; `alreadySending`; errors of the source, and
    ///   `FileError` of that look, after which a later run goes on; errors of ``UploadOptions/descriptions``.
    package func upload(
        _ content: UploadContent, _ options: UploadOptions, report: @escaping EventHandler = { _ in }
    ) async throws -> UploadedFile {
        try await cancellable {
            try await upload(options, report).run(try UploadSubject(content))
        }
    }

    /// The uploads of a content: one, complete or interrupted, or none.
    ///
    /// - Parameter id: ``UploadContent/id``.
    /// - Throws: `FileError`.
    package func uploads(ofContent id: String) async throws -> [InterruptedUpload] {
        try await uploads { $0 == id }
    }

    /// The uploads of all contents whose ``UploadContent/id`` begins so.
    /// - Throws: `FileError`.
    package func uploads(ofContentsBeginning prefix: String) async throws -> [InterruptedUpload] {
        try await uploads { $0.hasPrefix(prefix) }
    }

    private func uploads(
        _ isWanted: @escaping @Sendable (_ content: String) -> Bool
    ) async throws -> [InterruptedUpload] {
        try await BlockingExecutor.shared.run {
            try UploadJournal.list(in: states, fileSystem: fileSystem)
                .filter { contentID(of: $0).map(isWanted) ?? false }
                .compactMap(interruptedUpload)
        }
    }

    /// The content that an upload is of.
    ///
    /// - Parameter uploadID: ``InterruptedUpload/id``.
    /// - Returns: ``UploadContent/id``; nil where it is of a file, or there is no such upload.
    package func content(ofUpload uploadID: String) async throws -> String? {
        try await BlockingExecutor.shared.run { contentID(of: uploadID) }
    }

    /// A complete upload as it was when it ended, with its links; its source is not looked at.
    ///
    /// - Parameter uploadID: ``UploadedFile/id``, or ``InterruptedUpload/id``.
    /// - Returns: nil where it is not complete, or there is no such upload.
    /// - Throws: `FileError`; ``FileTransferError``: `damaged`.
    package func uploadedFile(_ uploadID: String) async throws -> UploadedFile? {
        try await BlockingExecutor.shared.run {
            let state = try UploadJournal.state(of: uploadID, in: states, fileSystem: fileSystem)
            guard let state, state.isComplete else { return nil }
            return try state.uploadedFile(uploadID)
        }
    }

    /// Also of one that another run uses.
    func contentID(of uploadID: String) -> String? {
        // What cannot be read is nobody's.
        try? UploadJournal.request(of: uploadID, in: states, fileSystem: fileSystem)?.source.contentID
    }
}
