import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// Puts the received account in place, and proves what is there.
struct ReceivingImport: Sendable {
    let run: ReceivingRun
    let archive: ReceivedArchive
    let passphrase: SharedSecret

    private var file: MoveFile<ReceivingMove> { run.file }
    private var target: ReceivingTarget { run.target }

    func run() async throws {
        let isResumed = file.state == .archiveImport
        if !isResumed {
            let previousOnes = try await run.work { _ in try target.previousOnes() }
            try file.enter(.archiveImport) { $0.previous = previousOnes }
        }
        do {
            let (imported, proof) = try await run.work { progress in
                let isDone = try isResumed && isInPlace()
                let outcome = try isDone ? importedBefore() : put(progress)
                return (outcome, try makeProof(progress))
            }
            try file.enter(.migrationConfirmation) { ($0.imported, $0.proof) = (imported, proof) }
        } catch {
            // What was decided, or is in place, is completed and proved by the next run.
            guard (try? isUndecided()) == true else { throw error }
            throw run.failed(error) { .archiveImportFailed(reason: $0) }
        }
    }

    /// Whether what was there before is still there, and will be.
    private func isUndecided() throws -> Bool {
        let pending = try AccountRecovery.pending(run.location, fileSystem: run.fileSystem)
        return try pending?.state != .after && target.previousOnes() == file.move.previous
    }

    /// Whether the run that was killed had put it there.
    private func isInPlace() throws -> Bool {
        try run.recover()
        guard try !target.databases().isEmpty else { return false }
        if try target.holds(archive.storage()) { return true }
        guard try target.previousOnes() == file.move.previous else {
            throw DeviceMigrationError(
                .accountExists,
                "another account appeared in this folder after the import began. Nothing was changed.",
                subject: run.location.directory.string, remedy: .chooseAnotherFolder)
        }
        return false
    }

    private func put(_ progress: ProgressHandler) throws -> ReceivedImport {
        // What is damaged was damaged on the other machine too: it moves, and is told of.
        let options = ArchiveImport.Options(
            replacesAccount: !file.move.previous.isEmpty && run.options.replacesAccount,
            replacesNewer: run.options.replacesNewer, allowsDamaged: true)
        let content = try archive.storage()
        let report = try ArchiveImport(options, fileSystem: run.fileSystem).import(
            from: content, to: run.location, passphrase: passphrase.bytes.duplicate(), progress: progress)
        if let recovery = report.recovery { run.report(.note(MoveNote.recovered(recovery))) }
        return ReceivedImport(
            entries: report.entries, size: report.size, archiveErrors: report.archiveErrors,
            replacedAccount: report.replacedAccount, foreignMedia: try target.foreignMedia(content))
    }

    private func importedBefore() throws -> ReceivedImport {
        ReceivedImport(
            entries: nil, size: nil,
            archiveErrors: (file.move.damagedEntries ?? []).map {
                .fileError(file: $0, fileError: "damaged in the archive")
            }, replacedAccount: !file.move.previous.isEmpty,
            foreignMedia: try target.foreignMedia(archive.storage()))
    }

    private func makeProof(_ progress: ProgressHandler) throws -> AccountProof {
        try AccountProof.make(
            run.location, passphrase: passphrase.bytes, fileSystem: run.fileSystem, progress: progress)
    }
}
