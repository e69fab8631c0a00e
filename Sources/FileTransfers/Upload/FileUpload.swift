import Failures
import Files
import JSONCoding
import MediaRules
import Secrets
import SystemPackage
import XFTPClient
import XFTPWire

/// Sends one file: makes or finds its journal, and does whatever that does not say is done.
struct FileUpload: Sendable {
    let relays: any ChunkRelays
    let settings: TransferSettings
    let fileSystem: FileSystem
    /// Where journals are.
    let states: FilePath
    let options: UploadOptions
    let report: TransferReport

    static let mostRecipients = 10_000

    /// - Throws: ``FileTransferError``; ``FileError``; `CancellationError`.
    func run(_ path: FilePath) async throws -> UploadedFile {
        let (source, identity) = try await open(path)
        let request = try request(identity)
        if let (journal, former) = try await BlockingWork.run({ try find(request) }) {
            let reason = staleness(former, identity) ?? (isElsewhere(journal) ? .otherRelays : nil)
            try await checkPlace(journal, isResumed: reason == nil)
            if let reason {
                try await startOver(journal, reason)
            } else if let done = try await resume(journal, source) {
                return done
            }
        }
        return try await begin(request, source)
    }

    /// Before anything is sent or removed. A complete upload may have its descriptions there already.
    private func checkPlace(_ journal: UploadJournal, isResumed: Bool) async throws {
        if isResumed && journal.state.isComplete { return }
        do {
            try await BlockingWork.run { try checkPlace() }
        } catch {
            journal.close()
            throw error
        }
    }

    private func checkPlace() throws {
        if let folder = options.descriptions { try DescriptionFolder(fileSystem).checkPlace(folder) }
    }

    /// Whether it is complete, on relays that are not those of this run.
    private func isElsewhere(_ journal: UploadJournal) -> Bool {
        journal.state.isComplete && journal.state.chunks.values.contains { !isGiven($0.relay) }
    }

    private func isGiven(_ relay: XFTPAddress) -> Bool { options.relays.contains { $0.address == relay } }

    /// Goes on with an upload by its name.
    func resume(_ id: String) async throws -> UploadedFile {
        try checkRelays()
        let journal = try await BlockingWork.run {
            try UploadJournal.open(id, in: states, fileSystem: fileSystem)
        }
        guard let former = journal.state.request else { throw RecordInput.damage }
        let (source, identity) = try await open(FilePath(former.source.path))
        let reason = staleness(former, identity)
        try await checkPlace(journal, isResumed: reason == nil)
        if let reason {
            try await startOver(journal, reason)
        } else if let done = try await resume(journal, source) {
            return done
        }
        var request = former
        request.source = identity
        request.created = settings.now()
        return try await begin(request, source)
    }

    private func open(_ path: FilePath) async throws -> (FileSource, SourceIdentity) {
        try await BlockingWork.run {
            let source = try FileSource(path, fileSystem: fileSystem)
            return (source, try SourceIdentity(fileSystem.resolve(path), source.attributes()))
        }
    }

    // MARK: Beginning

    private func checkRelays() throws {
        guard !options.relays.isEmpty else {
            throw FileTransferError.invalid("no relay is given to send the file to; name one")
        }
    }

    private func request(_ identity: SourceIdentity) throws -> UploadRequest {
        try checkRelays()
        if let data = options.data { try Self.check(data) }
        guard (1...Self.mostRecipients).contains(options.recipients) else {
            throw FileTransferError.invalid("a file has 1 to \(Self.mostRecipients) recipients")
        }
        let name = options.name ?? FilePath(identity.path).lastComponent?.string ?? ""
        return UploadRequest(
            created: settings.now(), source: identity, name: name, recipients: options.recipients,
            redirect: options.redirect, data: options.data)
    }

    private static func check(_ data: String) throws {
        guard data.utf8.count <= RecordOutput.longestField else {
            throw FileTransferError.invalid(
                "the data for the link has more than \(RecordOutput.longestField) bytes; nothing was sent")
        }
        guard JSONText.isValid(data) else {
            throw FileTransferError.invalid("the data for the link is no JSON; nothing was sent")
        }
    }

    /// The journal of an earlier run of the same.
    private func find(_ request: UploadRequest) throws -> (UploadJournal, UploadRequest)? {
        for id in try UploadJournal.list(in: states, fileSystem: fileSystem) {
            do {
                guard let former = try UploadJournal.request(of: id, in: states, fileSystem: fileSystem)
                else {
                    try UploadJournal.open(id, in: states, fileSystem: fileSystem)
                        .removeUnused(now: settings.now())
                    continue
                }
                guard former.asksTheSame(as: request) else { continue }
                return (try UploadJournal.open(id, in: states, fileSystem: fileSystem), former)
            } catch let error as FileError where error.code == .notFound {
                // Another run makes or removes it at this moment, or was killed then. What stays now, a later run
                // removes.
                try? UploadJournal.removeRemains(id, in: states, now: settings.now(), fileSystem: fileSystem)
            } catch {
                // In use, or damaged: whoever lists uploads is told.
            }
        }
        return nil
    }

    private func staleness(_ former: UploadRequest, _ identity: SourceIdentity) -> RestartReason? {
        if former.source != identity { return .sourceChanged }
        return settings.now() - former.created > settings.uploadLifetime ? .tooOld : nil
    }

    private func begin(_ request: UploadRequest, _ source: FileSource) async throws -> UploadedFile {
        if request.source.size > settings.warningSize {
            report(.warning(.largeFile(size: request.source.size)))
        }
        let journal = try await BlockingWork.run {
            try checkPlace()
            let files = try UploadParts.files(
                size: request.source.size, name: request.name, largest: settings.largestDescription)
            try UploadParts.checkJournal(of: files, recipients: request.recipients)
            if files.count > 1 { report(.warning(.divided(parts: files.count))) }
            return try UploadJournal.create(
                in: states, files.map(UploadRecord.file) + [.request(request)], fileSystem: fileSystem)
        }
        do {
            return try await finish(journal, request, source)
        } catch let error as FileTransferError where error.kind == .sourceChanged {
            try await remove(journal)
            throw error
        }
    }

    /// - Returns: nil where the source turns out to be another one; nothing is left of the upload then.
    private func resume(_ journal: UploadJournal, _ source: FileSource) async throws -> UploadedFile? {
        guard try await leaveOtherRelays(journal) else {
            try await startOver(journal, .otherRelays)
            return nil
        }
        let state = journal.state
        guard let request = state.request else { throw RecordInput.damage }
        let all = try state.partFiles.reduce(0) { try $0 + state.files[$1].layout().chunks.count }
        report(.resumed(chunks: state.storedPartChunkCount, of: all))
        do {
            return try await finish(journal, request, source)
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
        try await BlockingWork.run {
            for place in elsewhere { try journal.append(.abandoned(place), durable: false) }
        }
        return true
    }

    /// Of a complete upload only the journal goes: somebody may have its links.
    private func startOver(_ journal: UploadJournal, _ reason: RestartReason) async throws {
        report(.restarted(reason))
        guard journal.state.isComplete else { return try await remove(journal) }
        defer { journal.close() }
        try await BlockingWork.run { try journal.remove() }
    }

    // MARK: Sending

    private func finish(
        _ journal: UploadJournal, _ request: UploadRequest, _ source: FileSource
    ) async throws -> UploadedFile {
        defer { journal.close() }
        let run = UploadRun(
            request: request, journal: journal,
            sending: ChunkSending(
                relays: relays, rotation: RelayRotation(options.relays), journal: journal, settings: settings,
                report: report))
        let wasComplete = journal.state.isComplete
        if !wasComplete {
            do {
                try await send(run, request, source)
            } catch let error as FileTransferError
                where error.kind == .relays && journal.state.known.isEmpty
            {
                try await BlockingWork.run { try journal.remove() }
                throw error.ofNothingSent
            }
        }
        var uploaded = try run.result()
        if let folder = options.descriptions {
            uploaded.descriptions = try await BlockingWork.run { [uploaded] in
                let place = try keepDescriptions(of: uploaded, in: folder, isRepeated: wasComplete)
                try journal.remove()
                return place
            }
        }
        return uploaded
    }

    private func send(_ run: UploadRun, _ request: UploadRequest, _ source: FileSource) async throws {
        let journal = run.journal
        try await run.sendParts(source)
        try await checkUnchanged(request, source)
        try await run.sendRedirects()
        try await removeAbandoned(journal)
        try await BlockingWork.run { try journal.append(.complete) }
    }

    /// - Returns: where they are: a run that was killed may have written them into another folder.
    private func keepDescriptions(
        of file: UploadedFile, in folder: FilePath, isRepeated: Bool
    ) throws -> FilePath {
        let writer = DescriptionFolder(fileSystem)
        if isRepeated {
            let places = [folder] + options.formerDescriptions
            // What cannot be read is not what that run wrote.
            if let there = places.first(where: { (try? writer.holds(file, in: $0)) == true }) { return there }
        }
        do {
            try writer.write(file, to: folder)
        } catch let error as any Failure {
            throw FileTransferError.noDescriptions(error)
        }
        return folder
    }

    private func checkUnchanged(_ request: UploadRequest, _ source: FileSource) async throws {
        let now = try await BlockingWork.run { try source.attributes() }
        guard SourceIdentity(FilePath(request.source.path), now) == request.source else {
            throw FileTransferError.sourceChanged(request.source.path)
        }
    }
}

extension UploadRequest {
    fileprivate func asksTheSame(as other: UploadRequest) -> Bool {
        source.path == other.source.path && name == other.name && recipients == other.recipients
            && redirect == other.redirect && data == other.data
    }
}

extension FileTransferError {
    /// Of a file that no relay knows anything of. The cause says what to do.
    fileprivate var ofNothingSent: Self {
        Self(.relays, code, "no relay takes the file, and nothing was sent", cause: cause)
    }

    fileprivate static func noDescriptions(_ error: any Failure) -> Self {
        Self(
            .other, error.code,
            "the file is on its relays, but its descriptions cannot be written; send it again with another folder for "
                + "them (--descriptions) to get its links", cause: error)
    }
}
