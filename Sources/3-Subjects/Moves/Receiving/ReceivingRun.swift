import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseSecrets
import ValiseTransfers

/// One run of the receiving side: from wherever the record is to the finished move.
struct ReceivingRun: Sendable {
    let move: AccountMove
    let file: MoveFile<ReceivingMove>
    let location: AccountLocation
    let options: ReceiveOptions
    let questions: ReceiveQuestions
    let report: EventHandler

    var target: ReceivingTarget { ReceivingTarget(location: location, fileSystem: move.fileSystem) }
    var fileSystem: FileSystem { move.fileSystem }

    func run() async throws -> ReceivedAccount {
        if [.cancelling, .cancelled].contains(file.state.name) {
            throw DeviceMigrationError(
                .wrongState, "this move is being cancelled", subject: file.id,
                remedy: .completeCancellation(Remedy.Account(location)))
        }
        var passphrase: SharedSecret?
        var received: DownloadedFile?
        if !file.state.name.isAfterImport {
            if file.state != .archiveImport { try await checkTarget() }
            let fetched = try await fetch()
            received = fetched.received
            let archive = fetched.archive
            try await verify(archive)
            let given = try await askPassphrase { try archive.isEncrypted() ? archive.opens($0) : true }
            try await ReceivingImport(run: self, archive: archive, passphrase: given).run()
            passphrase = given
        }
        try await ReceivingSettings(run: self, passphrase: passphrase).run()
        return try await end(received)
    }

    func work<Value: Sendable>(
        _ body: @escaping @Sendable (_ progress: ProgressHandler) throws -> Value
    ) async throws -> Value {
        try await move.work(report, body)
    }

    /// Notes why something failed, where that can be noted, and gives the error back.
    func failed(_ error: any Error, as state: (String) -> ReceivingState) -> any Error {
        if !AccountMove.isStop(error) {
            // Where not even that can be noted, the state before it is as good.
            try? file.enter(state(error.sentence))
        }
        return error
    }

    /// Completes or removes what an interrupted operation left in place, and tells it.
    func recover() throws {
        if let recovery = try target.open()?.recovery { report(.note(MoveNote.recovered(recovery))) }
    }

    private func checkTarget() async throws {
        try await work { _ in
            if let recovery = try target.check(replacesAccount: options.replacesAccount) {
                report(.note(MoveNote.recovered(recovery)))
            }
        }
    }

    // MARK: The archive

    /// Sees to it that the archive is there, and opens it.
    /// - Returns: it, and what this run received.
    private func fetch() async throws -> (archive: ReceivedArchive, received: DownloadedFile?) {
        guard let path = file.move.archivePath else { throw DeviceMigrationError.damagedRecord(file.id) }
        let isUsersOwn = file.move.archive != nil
        var received: DownloadedFile?
        if try !fileSystem.exists(path) {
            if isUsersOwn { throw FileError(.notFound, "no such archive", path) }
            received = try await ReceivingDownload(run: self).run()
        }
        let archive = try await work { _ in ReceivedArchive(path, isUsersOwn: isUsersOwn, target) }
        // What has its name was received whole, by a run that could not note it any more; or was refused before. Other
        // links remove it before they are noted.
        if Self.beforeVerification.contains(file.state.name) {
            if isUsersOwn { try await agree(toArchive: archive) }
            try file.enter(.archiveVerification)
        }
        return (archive, received)
    }

    /// Asks about an archive, once. It is looked at first: about a file that is none, nobody is asked.
    private func agree(toArchive archive: ReceivedArchive) async throws {
        guard !file.move.isConfirmed else { return }
        do {
            try await work { _ in try archive.checkDirectory() }
            var info = ReceiveInfo(parts: [], networkConfig: nil, linkDataProblem: nil)
            info.archive = (archive.path.string, try archive.size())
            try await agree(to: info)
        } catch {
            // Nothing was begun, and the archive stays the user's: there is nothing to resume.
            if !file.move.isConfirmed { try? file.remove() }
            throw error
        }
    }

    /// Asks whether to receive, once.
    func agree(to info: ReceiveInfo) async throws {
        if !file.move.isConfirmed {
            guard try await questions.confirm(info) else {
                // There is nothing to resume, and the record has the links.
                try await work { _ in
                    try target.removeWork(of: file.move)
                    try file.remove()
                }
                throw DeviceMigrationError(.declined, Declined.sentence)
            }
        }
        try file.update { ($0.isConfirmed, $0.size) = (true, info.size) }
    }

    private static let beforeVerification: Set<ReceivingState.Name> = [
        .pasteOrScanLink, .linkDownloading, .downloadProgress, .downloadFailed, .archiveImportFailed,
    ]

    private func verify(_ archive: ReceivedArchive) async throws {
        guard file.state == .archiveVerification else { return }
        let damaged: [String]
        do {
            damaged = try await work { try archive.verify($0) }
        } catch {
            throw failed(error) { .archiveImportFailed(reason: $0) }
        }
        if !damaged.isEmpty { report(.note(MoveNote.damagedEntries(damaged))) }
        try file.enter(.passphrase) { $0.damagedEntries = damaged }
    }

    // MARK: The passphrase

    /// - Parameter opens: whether it is the right one.
    func askPassphrase(_ opens: @escaping @Sendable (borrowing SecretBytes) throws -> Bool) async throws
        -> SharedSecret
    {
        for attempt in 1...AccountMove.mostPassphraseTries {
            let given = try await questions.passphrase(attempt).rememberingKeys()
            if try await work({ _ in try opens(given.bytes) }) { return given }
        }
        throw DeviceMigrationError(
            .wrongPassphrase,
            "wrong passphrase. The received data is kept.", subject: location.directory.string,
            remedy: .giveCommandAgain)
    }

    // MARK: The end

    private func end(_ received: DownloadedFile?) async throws -> ReceivedAccount {
        if file.state == .verified {
            if options.acknowledges { await acknowledge(received) }
            try await work { _ in try target.removeWork(of: file.move) }
            try file.enter(.finished) { ($0.links, $0.workFolder) = ([], nil) }
        }
        guard let result = ReceivedAccount(file.move, file.id) else {
            throw DeviceMigrationError.damagedRecord(file.id)
        }
        return result
    }

    /// - Parameter received: nil where an earlier run received it. The sender takes what is confirmed for received.
    private func acknowledge(_ received: DownloadedFile?) async {
        let told: EventHandler = { [report] in report($0) }
        let approval = options.receiptApproval ?? options.approval
        if let received {
            await move.transfers.acknowledge(received, approval, report: told)
        } else if file.move.archive == nil, let links = try? LinkSet(file.move.links) {
            await move.transfers.acknowledge(links.references, approval, report: told)
        }
    }
}

extension ReceivedAccount {
    /// - Returns: nil for a record that lacks something.
    init?(_ move: ReceivingMove, _ id: String) {
        guard let proof = move.proof, let imported = move.imported, let schema = move.schema,
            let network = move.network
        else { return nil }
        self.init(id: id, words: proof.words, imported: imported, schema: schema, network: network)
        isFromArchive = move.archive != nil
    }
}
