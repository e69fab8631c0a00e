import AccountArchives
import Accounts
import Archives
import Failures
import FileTransfers
import Files
import Secrets
import SystemPackage
import XFTPWire

/// Brings the bytes of an account to relays or into a file.
struct SendingDelivery: Sendable {
    let run: SendingRun
    /// Nil where nothing is to be brought any more.
    let image: ArchiveImage?

    private var move: AccountMove { run.move }
    private var file: MoveFile<SendingMove> { run.file }

    func deliver() async throws -> SentAccount {
        guard let image else { throw DeviceMigrationError(.failed, "there is nothing to be sent") }
        switch run.options.destination {
        case .relays(let relays):
            try file.enter(.uploadProgress)
            let uploaded = try await upload(image, relays)
            try file.enter(.linkCreation)
            try file.enter(.linkShown) {
                $0.sent = .init(created: uploaded.created, parts: uploaded.parts.count)
            }
            await discardFormer()
        case .file(let path, let packs):
            try await export(image, to: path, packs: packs)
            try file.enter(.linkCreation)
            try file.enter(.linkShown) { $0.sent = .init(created: move.transfers.settings.now(), parts: 0) }
        }
        return try await move.sentAccount(file)
    }

    // MARK: Relays

    private func upload(_ image: ArchiveImage, _ relays: [RelayAccess]) async throws -> UploadedFile {
        let (location, passphrase) = (run.location, run.passphrase)
        let stored = file.move
        let content = UploadContent(
            id: SendingMove.contentID(file.id, stored.generation),
            name: SendingRun.name(created: file.created),
            source: image, version: image.identity, checkUnchanged: { try image.checkUnchanged() })
        var options = UploadOptions(relays: relays)
        options.redirect = try Self.redirect(image.size, content.name)
        if run.options.includesNetworkConfig {
            options.data = try await move.work(run.report) { _ in
                let config = try AppSettings.network(location, passphrase.bytes, move.fileSystem).config
                return config.map { MigrationFileLinkData(networkConfig: $0).json }
            }
        }
        do {
            let report = run.report
            return try await move.transfers.upload(content, options) { report(.transfer($0)) }
        } catch {
            if AccountMove.isStop(error) { throw error }
            // Where not even that can be noted, the state before it is as good.
            try? file.enter(.uploadFailed(reason: error.sentence))
            throw Self.meaning(of: error)
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

    /// Chunks of former links. What cannot be deleted now is tried again with the end of the move.
    func discardFormer() async {
        for generation in file.move.formerGenerations {
            do {
                _ = try await move.discard(file.id, generations: [generation], run.report)
                try file.update { $0.formerGenerations.removeAll { $0 == generation } }
            } catch {
                run.report(.notDeleted(error))
            }
        }
    }

    // MARK: File

    /// A run that was killed may have written it.
    private func export(_ image: ArchiveImage, to path: FilePath, packs: Bool) async throws {
        let (location, passphrase, fileSystem) = (run.location, run.passphrase, move.fileSystem)
        try await move.work(run.report) { progress in
            if try fileSystem.exists(path) {
                guard try Self.holds(path, image, fileSystem) else {
                    throw AccountArchiveError(
                        .alreadyExists,
                        "a file of this name is already there, and not this account; choose another",
                        subject: path.string)
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
                throw DeviceMigrationError.changedWhileSent(error)
            }
        }
    }

    /// Whether an archive has the same entries.
    private static func holds(
        _ path: FilePath, _ image: ArchiveImage, _ fileSystem: FileSystem
    ) throws -> Bool {
        guard let index = try? ZipIndex(fileSystem.openForReading(path)) else { return false }
        guard index.entries.count == image.entries.count else { return false }
        return image.entries.allSatisfy { entry in
            index.entry(named: entry.name).map { $0.size == entry.size && $0.checksum == entry.checksum }
                ?? false
        }
    }
}
