import SystemPackage
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseMediaRules
import ValiseSecrets
import ValiseXFTPClient
import ValiseXFTPWire

/// Sends one file: makes or finds its journal, and does whatever that does not say is done.
struct FileUpload: Sendable {
    let relays: any ChunkRelays
    let settings: TransferSettings
    let fileSystem: FileSystem
    /// Where journals are.
    let states: FilePath
    let options: UploadOptions
    let report: EventHandler

    static let mostRecipients = 10_000

    /// - Throws: ``FileTransferError``; ``FileError``; `CancellationError`.
    func run(file path: FilePath) async throws -> UploadedFile { try await run(try await open(path)) }

    /// - Throws: ``FileTransferError``; errors of the source and its check; `CancellationError`.
    func run(_ subject: UploadSubject) async throws -> UploadedFile {
        let request = try request(subject)
        if let (journal, previous) = try await BlockingExecutor.shared.run({ try find(request) }) {
            let reason =
                request.staleness(of: previous, isComplete: journal.state.isComplete, settings)
                ?? (isElsewhere(journal) ? .otherRelays : nil)
            try await checkPlace(journal, isResumed: reason == nil)
            if let reason {
                try await startOver(journal, reason)
            } else if let done = try await resume(journal, subject) {
                return done
            }
        }
        return try await begin(request, subject)
    }

    /// Whether it is complete, on relays that are not those of this run.
    private func isElsewhere(_ journal: UploadJournal) -> Bool {
        journal.state.isComplete && journal.state.chunks.values.contains { !isGiven($0.relay) }
    }

    private func isGiven(_ relay: XFTPAddress) -> Bool { options.relays.contains { $0.address == relay } }

    private func open(_ path: FilePath) async throws -> UploadSubject {
        try await BlockingExecutor.shared.run { try UploadSubject(path, fileSystem: fileSystem) }
    }

    // MARK: Beginning

    private func checkRelays() throws {
        guard !options.relays.isEmpty else {
            throw FileTransferError.invalid("no relay given to send the file to")
        }
    }

    private func request(_ subject: UploadSubject) throws -> UploadRequest {
        try checkRelays()
        if let data = options.data { try Self.check(data) }
        guard (1...Self.mostRecipients).contains(options.recipients) else {
            throw FileTransferError.invalid(
                "the number of recipients must be from 1 to \(Self.mostRecipients)")
        }
        let name = options.name ?? subject.name
        if let excess = TransferChunks.excess(ofName: name) {
            throw FileTransferError.invalid(
                "\(excess). Nothing was sent.", subject: name, remedy: .chooseAnotherName)
        }
        return UploadRequest(
            created: settings.now(), source: subject.identity, name: name,
            recipients: options.recipients, redirect: options.redirect, data: options.data)
    }

    private static func check(_ data: String) throws {
        guard data.utf8.count <= RecordOutput.longestField else {
            throw FileTransferError.invalid(
                "the link's extra data is longer than \(RecordOutput.longestField) bytes. Nothing was sent.")
        }
        guard JSONText.isValid(data) else {
            throw FileTransferError.invalid("the link's extra data is not valid JSON. Nothing was sent.")
        }
    }

    /// The journal of an earlier run of the same.
    private func find(_ request: UploadRequest) throws -> (UploadJournal, UploadRequest)? {
        for id in try UploadJournal.list(in: states, fileSystem: fileSystem) {
            do {
                guard let previous = try UploadJournal.request(of: id, in: states, fileSystem: fileSystem)
                else {
                    try UploadJournal.open(id, in: states, fileSystem: fileSystem)
                        .removeUnused(now: settings.now())
                    continue
                }
                guard request.continues(previous) else { continue }
                return (try UploadJournal.open(id, in: states, fileSystem: fileSystem), previous)
            } catch let error as FileError where error.code == .notFound {
                // Another run makes or removes it at this moment, or was killed then. What stays now, a later run
                // removes.
                try? UploadJournal.removeRemains(id, in: states, now: settings.now(), fileSystem: fileSystem)
            } catch let error as FileTransferError
                where error.kind == .alreadySending && request.source.contentID != nil
            {
                throw error
            } catch {
                // In use, or damaged: whoever lists uploads is told.
            }
        }
        return nil
    }

    private func begin(_ request: UploadRequest, _ subject: UploadSubject) async throws -> UploadedFile {
        if request.source.contentID == nil, request.source.size > settings.warningSize {
            report(.note(TransferNote.warning(.largeFile(size: request.source.size))))
        }
        let journal = try await BlockingExecutor.shared.run {
            try checkPlace()
            try UploadParts.checkSize(request.source.size, subject: request.label)
            let files = try UploadParts.files(
                size: request.source.size, name: request.name, largest: settings.largestDescription)
            try UploadParts.checkJournal(of: files, recipients: request.recipients)
            if files.count > 1 { report(.note(TransferNote.warning(.divided(parts: files.count)))) }
            return try UploadJournal.create(
                in: states, files.map(UploadRecord.file) + [.request(request)], fileSystem: fileSystem)
        }
        do {
            return try await finish(journal, request, subject)
        } catch let error as FileTransferError where error.kind == .sourceChanged {
            try await remove(journal)
            throw error
        }
    }

    /// - Returns: nil where the source turns out to be another one; nothing is left of the upload then.
    private func resume(_ journal: UploadJournal, _ subject: UploadSubject) async throws -> UploadedFile? {
        guard try await leaveOtherRelays(journal) else {
            try await startOver(journal, .otherRelays)
            return nil
        }
        let state = journal.state
        guard let request = state.request else { throw RecordInput.damage }
        let all = try state.partFiles.reduce(0) { try $0 + state.files[$1].layout().chunks.count }
        report(.note(TransferNote.resumed(chunks: state.storedPartChunkCount, of: all)))
        do {
            return try await finish(journal, request, subject)
        } catch let error as FileTransferError where error.kind == .sourceChanged {
            try await startOver(journal, .sourceChanged)
            return nil
        }
    }

    /// Chunks on relays that are not given any more are sent once more: under the same key, the same bytes.
    ///
    /// - Returns: false where that cannot be: a description that was sent names such a relay, and under the key of that
    ///   description no other one may follow.
    private func leaveOtherRelays(_ journal: UploadJournal) async throws -> Bool {
        let state = journal.state
        if state.isComplete { return true }
        let elsewhere = state.chunks.filter { !isGiven($0.value.relay) }.keys
        let parts = state.partFiles
        if parts.count < state.files.count, elsewhere.contains(where: { parts.contains($0.file) }) {
            return false
        }
        try await BlockingExecutor.shared.run {
            for place in elsewhere { try journal.append(.abandoned(place), durable: false) }
        }
        return true
    }

    /// Of a complete upload of a file only the journal goes: somebody may have its links. Those of a content are his who
    /// sends it anew.
    private func startOver(_ journal: UploadJournal, _ reason: RestartReason) async throws {
        report(.note(TransferNote.restarted(reason)))
        let state = journal.state
        guard state.isComplete, state.request?.source.contentID == nil else {
            return try await remove(journal)
        }
        defer { journal.close() }
        try await BlockingExecutor.shared.run { try journal.remove() }
    }

    // MARK: Sending

    private func finish(
        _ journal: UploadJournal, _ request: UploadRequest, _ subject: UploadSubject
    ) async throws -> UploadedFile {
        defer { journal.close() }
        let rotation = RelayRotation(options.relays)
        let run = UploadRun(
            request: request, journal: journal,
            sending: ChunkSending(
                relays: relays, rotation: rotation, journal: journal, settings: settings,
                report: report))
        let wasComplete = journal.state.isComplete
        if !wasComplete {
            do {
                try await send(run, subject)
            } catch let error as FileTransferError
                where error.kind == .relays && journal.state.known.isEmpty
            {
                try await BlockingExecutor.shared.run { try journal.remove() }
                throw error.ofNothingSent(rotation.failures)
            }
        }
        var uploaded = try journal.state.uploadedFile(journal.id)
        if let folder = options.descriptions {
            uploaded.descriptions = try await BlockingExecutor.shared.run { [uploaded] in
                let place = try keepDescriptions(of: uploaded, in: folder, isRepeated: wasComplete)
                try journal.remove()
                return place
            }
        }
        return uploaded
    }

    private func send(_ run: UploadRun, _ subject: UploadSubject) async throws {
        let journal = run.journal
        try await BlockingExecutor.shared.run(subject.checkUnchanged)
        do {
            try await run.sendParts(subject.source)
        } catch  where isOfSource(error, subject) {
            // It may be the source's way to say that it changed.
            try await BlockingExecutor.shared.run(subject.checkUnchanged)
            throw error
        }
        try await BlockingExecutor.shared.run(subject.checkUnchanged)
        try await run.sendRedirects()
        try await removeAbandoned(journal)
        try await BlockingExecutor.shared.run { try journal.append(.complete) }
    }

    /// Whether it may be an error of a content: those of files, relays and the caller say what they are.
    private func isOfSource(_ error: any Error, _ subject: UploadSubject) -> Bool {
        subject.identity.contentID != nil && !Task.isCancelled && !(error is CancellationError)
            && !(error is FileTransferError)
    }
}
