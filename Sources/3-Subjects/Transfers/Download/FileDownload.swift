import SystemPackage
import ValiseConcurrency
import ValiseCryptoFiles
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseMediaRules
import ValiseSecrets
import ValiseXFTPClient
import ValiseXFTPWire

/// Receives one file, or the parts of one, from links to a verified file with its name.
struct FileDownload: Sendable {
    let relays: any ChunkRelays
    let settings: TransferSettings
    let fileSystem: FileSystem
    let options: DownloadOptions
    let report: EventHandler

    /// - Parameter descriptions: one of a whole file, or one of each part in any order.
    func run(_ descriptions: [FileDescription], to target: DownloadTarget) async throws -> DownloadedFile {
        guard descriptions.count <= FilePart.most else { throw FileTransferError.notAllParts }
        for description in descriptions { try description.checkReceivable(largest: largest) }
        let request = DownloadRequest(
            identity: DownloadIdentity.of(descriptions), isEncrypted: options.keyOutput != nil)
        var received: DownloadedFile
        if let earlier = try await BlockingExecutor.shared.run({ try prepare(request, target) }) {
            received = earlier
            received.receipt = .earlier(descriptions, resolving(retries: .never))
        } else {
            try await options.approval.check(descriptions.flatMap(\.relays))
            let resolving = resolving(retries: settings.retries)
            let files = try await resolving.resolve(descriptions, options.approval)
            received = try await receive(files, request, to: target, resolving.receiving)
            received.receipt = .received(descriptions, files)
        }
        if options.acknowledge {
            await received.receipt?.give(
                Acknowledgement(relays: relays, settings: settings, report: report), options.approval)
        }
        return received
    }

    /// Tells the relays of a file that an earlier run received.
    func acknowledge(_ descriptions: [FileDescription]) async {
        await DownloadReceipt.earlier(descriptions, resolving(retries: .never)).give(
            Acknowledgement(relays: relays, settings: settings, report: report), options.approval)
    }

    /// Looks at the place, before anything is asked for.
    /// - Returns: what an earlier run had received whole.
    private func prepare(_ request: DownloadRequest, _ target: DownloadTarget) throws -> DownloadedFile? {
        if let earlier = try finishedEarlier(request, target) { return earlier }
        try DownloadPlacement.checkPlace(target, options, fileSystem)
        DownloadJournal.removeAbandoned(
            in: target.folder, but: request, before: settings.now() - settings.downloadLifetime,
            fileSystem: fileSystem)
        return nil
    }

    private func resolving(retries: RetryPolicy) -> DescriptionResolving {
        var settings = settings
        settings.retries = retries
        return DescriptionResolving(
            receiving: ChunkReceiving(relays: relays, settings: settings, report: report), largest: largest)
    }

    private var largest: Int64 {
        // What a description of the largest file has at most, as the last chunk may be larger than its content.
        let hard = settings.largestDescription + ChunkSize.mib4.bytes
        return min(options.largest ?? hard, hard)
    }

    // MARK: Content

    private func receive(
        _ files: [FileDescription], _ request: DownloadRequest, to target: DownloadTarget,
        _ receiving: ChunkReceiving
    ) async throws -> DownloadedFile {
        let journal = try await BlockingExecutor.shared.run { try open(files, request, target) }
        defer { journal.close() }
        let received = DownloadPlacement(
            target: target, options: options, journal: journal, fileSystem: fileSystem)
        do {
            let whole = try await receiveParts(files, journal, receiving)
            if let part = whole.singlePart {
                report(.note(TransferNote.warning(.onePart(number: part.part, of: part.of))))
            }
            return try await BlockingExecutor.shared.run { try received.publish(whole) }
        } catch {
            let isKept = try? await BlockingExecutor.shared.run { try fileSystem.exists(journal.content) }
            if isKept == true { report(.note(TransferNote.warning(.kept(folder: journal.folder.string)))) }
            throw error
        }
    }

    private func receiveParts(
        _ files: [FileDescription], _ journal: DownloadJournal, _ receiving: ChunkReceiving
    ) async throws -> JoinedParts {
        let begun = journal.state.heads
        let total = files.reduce(0) { $0 + $1.size }
        let progress = TransferProgress("receiving", total: total, report: report)
        let parts = files.enumerated().map { number, file in
            PartReceiving(
                number: number, description: file, joinedSize: files.count > 1 ? total : nil,
                receiving: receiving, journal: journal, settings: settings, fileSystem: fileSystem,
                progress: progress, report: report)
        }
        // Before gigabytes are received, whether they belong together.
        do {
            var heads: [EncryptedFileHead] = []
            for part in parts { heads.append(try await part.head()) }
            let whole = try JoinedParts(heads)
            for (part, head) in zip(parts, heads) {
                try await part.run(head, isResumed: begun[part.number] != nil)
            }
            return whole
        } catch  where (error as? FileTransferError)?.isFinal == true || journal.state.heads.isEmpty {
            // Nobody can resume it, or nothing was received.
            try await BlockingExecutor.shared.run { try journal.remove() }
            throw error
        }
    }

    private func open(
        _ files: [FileDescription], _ request: DownloadRequest, _ target: DownloadTarget
    ) throws -> DownloadJournal {
        let journal = try DownloadJournal.open(in: target.folder, request, fileSystem: fileSystem)
        // Not by the size of what is there: it may have holes.
        let there = try fileSystem.exists(journal.content) ? journal.state.received(of: files) : 0
        let needed = max(0, files.reduce(0) { $0 + $1.size } - there)
        let available = try fileSystem.freeSpace(at: journal.folder)
        guard needed <= available else {
            if there == 0 { try journal.remove() } else { journal.close() }
            throw Self.noSpace(needed, available, isKept: there > 0, target.folder)
        }
        let other = try DownloadJournal.otherForm(in: target.folder, request, fileSystem: fileSystem)
        if let other { report(.note(TransferNote.warning(.otherForm(folder: other.string)))) }
        return journal
    }

    private static func noSpace(
        _ needed: Int64, _ available: Int64, isKept: Bool, _ folder: FilePath
    ) -> FileTransferError {
        FileTransferError(
            .noSpace(needed: needed, available: available), .noSpace,
            isKept
                ? "not enough free space: the rest of the file needs \(Count.bytes(needed)), and "
                    + "\(Count.bytes(available)) are free. The received part is kept."
                : "not enough free space: the file needs \(Count.bytes(needed)), and "
                    + "\(Count.bytes(available)) are free. Nothing was received.",
            subject: folder.string, remedy: .freeSpace(needed, in: folder))
    }

    /// What a run received whole that was killed before it could say so.
    private func finishedEarlier(
        _ request: DownloadRequest, _ target: DownloadTarget
    ) throws -> DownloadedFile? {
        guard let journal = try DownloadJournal.find(in: target.folder, request, fileSystem: fileSystem)
        else { return nil }
        defer { journal.close() }
        let previous = DownloadPlacement(
            target: target, options: options, journal: journal, fileSystem: fileSystem)
        if let published = try previous.alreadyPublished() { return published }
        try previous.removeKey()
        return nil
    }
}

extension FileTransferError {
    /// Whether trying again cannot help. What expired may be sent again, or may only seem so.
    fileprivate var isFinal: Bool {
        switch kind {
        case .damaged, .blocked, .invalidLink: true
        default: false
        }
    }
}
