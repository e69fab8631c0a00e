import SystemPackage
package import ValiseAccounts
package import ValiseConcurrency
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// Encrypts or decrypts the media of an account where they are, with the keys in the database kept in step.
///
/// In operations of about a gigabyte, each of which is done whole or not at all: the new files and a copy of the chat
/// database are prepared beside the account, checked and flushed, then all take their places by one journal. A run
/// that is killed leaves every file with the key that fits it once the next run has completed the journal, and the
/// same command again does the rest.
package struct MediaConversion {
    private let direction: MediaDirection
    private let selection: MediaSelection
    private let fileSystem: FileSystem
    private let workers: Int
    /// How many bytes one operation writes; nil for about a gigabyte. Only tests choose another.
    var batchSize: Int64?

    /// - Parameters:
    ///   - direction: whether media are encrypted or decrypted.
    ///   - selection: which files; all by default.
    ///   - workers: how many threads work side by side.
    ///   - fileSystem: where files are read and written.
    package init(
        _ direction: MediaDirection, _ selection: MediaSelection = MediaSelection(),
        workers: Int = ParallelBatches.workers, fileSystem: FileSystem = FileSystem()
    ) {
        self.direction = direction
        self.selection = selection
        self.workers = workers
        self.fileSystem = fileSystem
    }

    /// What it would do. Nothing is changed.
    ///
    /// - Parameters:
    ///   - location: the account.
    ///   - passphrase: of both databases; empty for none.
    ///   - progress: sees how far it is; throw to stop.
    /// - Throws: as ``run(_:passphrase:progress:)``.
    package func plan(
        _ location: AccountLocation, passphrase: borrowing SecretBytes, progress: ProgressHandler = { _ in }
    ) throws -> MediaConversionReport {
        try refuseBackup(location)
        let reader = try AccountReader(location, use: .refused, fileSystem: fileSystem)
        defer { withExtendedLifetime(reader) {} }
        let file = try DatabaseFile(existing: .chat, of: location, fileSystem: fileSystem)
        var sources: [AccountDatabase: any ByteSource] = [:]
        for database in AccountDatabase.allCases {
            sources[database] = try reader.source(
                of: database, passphrase: passphrase.duplicate(), progress: progress)
        }
        let keys = try DerivedKeys(sources, passphrase: passphrase)
        let connection = try keys.connect(.chat)
        let uploads = try MediaUploads(keys.connect(.agent))
        let survey = try survey(location, connection, uploads, file, progress)
        try checkSpace(survey, location)
        return survey.report
    }

    /// Converts all files that are selected and not yet as they should be.
    ///
    /// - Parameters:
    ///   - location: the account.
    ///   - passphrase: of both databases; empty for none.
    ///   - progress: sees the bytes that are done; throw to stop. Operations that were done stay done.
    /// - Throws: ``MediaEncryptionError``: `noSpace`, `unsupported` where the database has no place for keys,
    ///   `interrupted` after some of the operations; `AccountError`: `inUse`; `DatabaseError`: `wrongPassphrase`;
    ///   `FileError`.
    package func run(
        _ location: AccountLocation, passphrase: borrowing SecretBytes, progress: ProgressHandler = { _ in }
    ) throws -> MediaConversionReport {
        let start = ContinuousClock.now
        let account = try AccountWriter(location, fileSystem: fileSystem)
        try refuseBackup(location)
        let keys = try keys(account, passphrase, progress)
        let survey = try survey(account, keys, progress)
        try checkSpace(survey, location)
        var report = survey.report
        report.recovery = account.recovery
        let planned = report.files
        (report.files, report.bytes, report.operations) = (0, 0, 0)
        let total = survey.batches.batches.reduce(0) { $0 + $1.bytes }
        var done: Int64 = 0
        do {
            for batch in survey.batches.batches {
                let conversion = MediaConversionBatch(
                    direction, account, keys, survey.candidates, survey.store, workers: workers, fileSystem)
                try conversion.run(batch, &report) { bytes in
                    try progress(OperationProgress(direction.doing, completed: done + bytes, total: total))
                }
                done += batch.bytes
            }
        } catch let error as any Failure where report.files > 0 {
            let what = error.code == .interrupted ? "interrupted" : error.message
            let reason = what.hasSuffix(".") ? what : what + "."
            throw MediaEncryptionError(
                error.code,
                "\(reason) \(report.files) of \(Count.text(planned, "file")) were "
                    + "\(direction.done); the others are unchanged.",
                subject: error.subject ?? location.directory.string,
                cause: error.cause, remedy: error.remedy ?? .giveCommandAgain)
        }
        report.seconds = (ContinuousClock.now - start) / .seconds(1)
        return report
    }

    /// A rollback would bring back a database that knows nothing of the keys.
    private func refuseBackup(_ location: AccountLocation) throws {
        guard try AccountBackup(location, fileSystem: fileSystem) != nil else { return }
        throw MediaEncryptionError(
            .alreadyExists,
            "previous databases are kept, which would no longer match the media. Nothing was changed.",
            subject: location.directory.string, remedy: .confirmOrRollBack(Remedy.Account(location)))
    }

    // MARK: Looking

    private struct Survey {
        var report: MediaConversionReport
        var batches: MediaBatches
        let candidates: MediaCandidates
        let store: MediaFolder
    }

    /// Folds what a crashed program left, and derives the keys, once where nothing is to be folded.
    private func keys(
        _ account: AccountWriter, _ passphrase: borrowing SecretBytes, _ progress: ProgressHandler
    ) throws -> DerivedKeys {
        try progress(OperationProgress("opening the databases"))
        if try account.databaseFiles().values.contains(where: \.needsFolding) {
            try account.fold(passphrase: passphrase, progress: progress)
        }
        let keys = try DerivedKeys(
            account.databaseFiles(), passphrase: passphrase, fileSystem: fileSystem)
        guard try account.fold(passphrase: passphrase, hiddenLogs: keys.hiddenLogs, progress: progress) else {
            return keys
        }
        return try DerivedKeys(account.databaseFiles(), passphrase: passphrase, fileSystem: fileSystem)
    }

    private func survey(
        _ account: AccountWriter, _ keys: DerivedKeys, _ progress: ProgressHandler
    ) throws -> Survey {
        let files = try account.databaseFiles()
        guard let chat = files[.chat], let agent = files[.agent] else {
            throw MediaEncryptionError(.notFound, "a database is missing")
        }
        let connection = try keys.connect(.chat, at: chat.path, .readOnlyUnderLock)
        let uploads = try MediaUploads(keys.connect(.agent, at: agent.path, .readOnlyUnderLock))
        return try survey(account.location, connection, uploads, chat, progress)
    }

    private func survey(
        _ location: AccountLocation, _ connection: borrowing Connection, _ uploads: MediaUploads,
        _ chat: DatabaseFile, _ progress: ProgressHandler
    ) throws -> Survey {
        guard let table = try MediaTable(connection) else {
            throw MediaEncryptionError(
                .unsupported, "this chat database has no files table", subject: chat.path.string)
        }
        guard table.storesKeys else {
            throw MediaEncryptionError(
                .unsupported,
                "this chat database predates file encryption and cannot store keys",
                subject: chat.path.string, remedy: .updateSchema(Remedy.Account(location)))
        }
        let store = try MediaFolder(location, fileSystem: fileSystem)
        let candidates = try MediaCandidates(
            direction, store, MediaFilter(selection, connection), uploads, table, connection)
        var report = MediaConversionReport(direction)
        report.isDatabaseEncrypted = chat.form == .encrypted
        var batches = MediaBatches(
            databaseSize: chat.size, freeSpace: try fileSystem.freeSpace(at: location.directory),
            batchSize: batchSize)
        try table.forEach(connection) { file in
            try progress(OperationProgress("scanning media", completed: Int64(report.files), unit: .items))
            switch try candidates.decide(file) {
            case nil: break
            case .already: report.already += 1
            case .waiting: report.waiting += 1
            case .leave(let reason, let message): report.leave(file.fileID, file.filePath, reason, message)
            case .convert:
                report.files += 1
                report.bytes += file.fileSize
                batches.add(file.fileID, size: file.expectedSize + direction.growth)
            }
        }
        report.operations = batches.batches.count
        report.spaceNeeded = batches.batches.isEmpty ? 0 : batches.spaceNeeded + chat.size
        return Survey(report: report, batches: batches, candidates: candidates, store: store)
    }

    /// Refuses a disk on which no file of the account could be converted: before anybody is asked for the passphrase.
    ///
    /// - Throws: ``MediaEncryptionError`` with `noSpace`; `FileError`.
    package func refuseFullDisk(_ location: AccountLocation) throws {
        let needed =
            MediaBatches.reserve + (try fileSystem.attributes(of: location.path(of: .chat))?.size ?? 0)
        guard try fileSystem.freeSpace(at: location.directory) < needed,
            try fileSystem.isDirectory(location.filesFolder),
            try fileSystem.list(location.filesFolder).contains(where: { $0.kind == .regular })
        else { return }
        throw try noSpace(needed, location)
    }

    private func checkSpace(_ survey: Survey, _ location: AccountLocation) throws {
        guard !survey.batches.isPossible else { return }
        throw try noSpace(
            survey.batches.largest + survey.report.spaceNeeded - survey.batches.spaceNeeded, location)
    }

    private func noSpace(_ needed: Int64, _ location: AccountLocation) throws -> MediaEncryptionError {
        let free = try fileSystem.freeSpace(at: location.directory)
        return MediaEncryptionError(
            .noSpace,
            "not enough free space: about \(Count.bytes(needed)) needed beside the account for the largest file "
                + "and a copy of the chat database, \(Count.bytes(free)) available. Nothing was changed.",
            subject: location.directory.string, remedy: .freeSpace(needed, in: location.directory))
    }
}
