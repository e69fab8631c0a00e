import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseTransfers

/// Receives the archive into the work folder.
struct ReceivingDownload: Sendable {
    let run: ReceivingRun

    private var file: MoveFile<ReceivingMove> { run.file }

    func run() async throws -> DownloadedFile {
        try file.enterAgain(.linkDownloading)
        let links = try LinkSet(file.move.links)
        guard let archive = file.move.archivePath else { throw DeviceMigrationError.damagedRecord(file.id) }
        let info = links.info
        try await run.agree(to: info)
        do {
            try await run.work { _ in try prepare(archive.parentFolder, info) }
        } catch {
            throw run.failed(error) { .downloadFailed(reason: $0) }
        }
        try file.enter(.downloadProgress)
        let received = try await receive(links, archive)
        try file.enter(.archiveVerification)
        return received
    }

    /// Room for the archive and for the account, and a folder that nobody else reads.
    private func prepare(_ work: FilePath, _ info: ReceiveInfo) throws {
        let available = try run.target.available(work)
        guard info.spaceNeeded <= available else {
            throw DeviceMigrationError(
                .noSpace,
                "not enough free space: receiving and importing the account needs "
                    + "\(Count.bytes(info.spaceNeeded)), and \(Count.bytes(available)) are free. Nothing was received.",
                subject: work.parentFolder.string,
                remedy: .freeSpace(info.spaceNeeded, in: work.parentFolder))
        }
        try run.fileSystem.makeDirectories(work)
    }

    private func receive(_ links: LinkSet, _ archive: FilePath) async throws -> DownloadedFile {
        let options = DownloadOptions(approval: run.options.approval)
        let (report, activity) = (run.report, "receiving \(run.location.directory.string)")
        do {
            let received = try await run.move.transfers.downloadStandaloneFile(
                links.references, to: .file(archive), options
            ) { report($0.progressing(activity)) }
            if let part = received.part {
                try run.fileSystem.remove(archive)
                throw DeviceMigrationError(
                    .partsMissing,
                    "this link is part \(part.part) of \(part.of). Nothing was changed.",
                    remedy: .giveAllLinks)
            }
            return received
        } catch {
            throw run.failed(Self.meaning(of: error, links)) { .downloadFailed(reason: $0) }
        }
    }

    private static func meaning(of error: any Error, _ links: LinkSet) -> any Error {
        guard let error = error as? FileTransferError else { return error }
        switch error.kind {
        case .expired:
            return DeviceMigrationError(
                .expired,
                "the account is no longer on the relays, which keep it for about 48 hours", cause: error,
                remedy: .renewLinkElsewhere)
        case .damaged:
            return DeviceMigrationError(
                .damaged,
                "the data on the relays does not match this link. Nothing was kept.",
                cause: error,
                remedy: .renewLinkElsewhere)
        case .invalidLink:
            return DeviceMigrationError(
                links.references.count > 1 ? .partsMissing : .wrongLink, error.message, cause: error.cause,
                remedy: error.remedy)
        case .noSpace:
            return DeviceMigrationError(
                .noSpace, error.message, subject: error.subject, remedy: error.remedy)
        default: return error
        }
    }
}
