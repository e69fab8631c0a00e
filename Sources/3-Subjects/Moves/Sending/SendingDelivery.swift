import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseSecrets
import ValiseTransfers
import ValiseXFTPWire

/// Brings the bytes of an account to relays or into a file.
struct SendingDelivery: Sendable {
    let run: SendingRun
    let image: ArchiveImage

    private var move: AccountMove { run.move }
    private var file: MoveFile<SendingMove> { run.file }

    func deliver() async throws {
        switch run.options.destination {
        case .relays(let relays):
            try file.enter(.uploadProgress)
            let uploaded = try await upload(relays)
            try file.enter(.linkCreation)
            try file.enter(.linkShown) {
                $0.sent = .init(created: uploaded.created, parts: uploaded.parts.count)
            }
        case .file(let path, let packs):
            try await export(to: path, packs: packs)
            try file.enter(.linkCreation)
            try file.enter(.linkShown) { $0.sent = .init(created: move.transfers.settings.now(), parts: 0) }
        }
    }

    // MARK: Relays

    private func upload(_ relays: [RelayAccess]) async throws -> UploadedFile {
        let (location, passphrase, image) = (run.location, run.passphrase, image)
        let stored = file.move
        let content = UploadContent(
            id: SendingMove.contentID(file.id, stored.generation),
            name: SendingRun.name(created: file.created),
            source: image, version: image.identity, checkUnchanged: { try image.checkUnchanged() })
        var options = UploadOptions(relays: relays)
        options.redirect = try Self.redirect(image.size, content.name)
        if let given = run.options.networkConfig {
            options.data = MigrationFileLinkData(networkConfig: given).json
        } else if run.options.includesNetworkConfig {
            options.data = try await move.work(run.report) { _ in
                let config = try AppSettings.network(location, passphrase.bytes, move.fileSystem).config
                return config.map { MigrationFileLinkData(networkConfig: $0).json }
            }
        }
        try await discardExpired(content.id)
        do {
            let (report, activity) = (run.report, "sending \(run.location.directory.string)")
            return try await move.transfers.upload(content, options) { report($0.progressing(activity)) }
        } catch {
            if AccountMove.isStop(error) { throw error }
            // Where not even that can be noted, the state before it is as good.
            try? file.enter(.uploadFailed(reason: error.sentence))
            throw Self.meaning(of: error)
        }
    }

    /// What a killed run had sent whole, and nobody was shown, may be so old that relays have deleted it.
    private func discardExpired(_ content: String) async throws {
        for upload in try await move.transfers.uploads(ofContent: content)
        where upload.isComplete && move.transfers.settings.now() >= upload.created + SendingMove.lifetime {
            try await move.transfers.discardUpload(upload.id) { _ in }
        }
    }

    /// As the apps choose: what is one chunk is named by the link itself.
    private static func redirect(_ size: Int64, _ name: String) throws -> RedirectChoice {
        try EncryptedFileLayout(fileSize: size, name: name).chunks.count > 1 ? .always : .never
    }

    private static func meaning(of error: any Error) -> any Error {
        switch error {
        case let error as FileTransferError where error.kind == .sourceChanged:
            DeviceMigrationError.changedWhileSent(error)
        case let error as AccountArchiveError where error.kind == .sourceChanged:
            DeviceMigrationError.changedWhileSent(error)
        default: error
        }
    }

    // MARK: File

    /// A run that was killed may have written it.
    private func export(to path: FilePath, packs: Bool) async throws {
        let (location, passphrase, image) = (run.location, run.passphrase, image)
        let fileSystem = move.fileSystem
        try await move.work(run.report) { progress in
            if try fileSystem.exists(path) {
                guard try Self.holds(path, image, fileSystem) else {
                    throw AccountArchiveError(
                        .alreadyExists,
                        "a different file with this name already exists",
                        subject: path.string, remedy: .moveAway(path))
                }
                return
            }
            let export = ArchiveExport(
                .init(compresses: packs, isReproducible: true), fileSystem: fileSystem)
            _ = try export.export(
                location, to: path, passphrase: passphrase.bytes.duplicate(), progress: progress)
            do {
                try image.checkUnchanged()
            } catch let error as AccountArchiveError where error.kind == .sourceChanged {
                try fileSystem.remove(path)
                throw DeviceMigrationError.changedWhileWritten(error)
            }
        }
    }

    /// Whether an archive has the same entries.
    private static func holds(
        _ path: FilePath, _ image: ArchiveImage, _ fileSystem: FileSystem
    ) throws -> Bool {
        guard let index = try? ArchiveStorage(path, limits: ZipLimits(), fileSystem: fileSystem).index else {
            return false
        }
        guard index.entries.count == image.entries.count else { return false }
        return image.entries.allSatisfy { entry in
            index.entry(named: entry.name).map { $0.size == entry.size && $0.checksum == entry.checksum }
                ?? false
        }
    }
}
