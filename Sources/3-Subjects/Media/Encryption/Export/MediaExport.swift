package import SystemPackage
package import ValiseAccounts
package import ValiseConcurrency
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// Exports what messages refer to: decrypted copies with their names and times, and a manifest.
///
/// The account is only read. A second run into the same folder copies what is new. Nothing that the user put there
/// is overwritten.
package struct MediaExport {
    private let fileSystem: FileSystem
    private let workers: Int

    /// - Parameters:
    ///   - fileSystem: where files are read and written.
    ///   - workers: how many threads decrypt.
    package init(fileSystem: FileSystem = FileSystem(), workers: Int = ParallelBatches.workers) {
        self.fileSystem = fileSystem
        self.workers = workers
    }

    /// Exports into a folder, which is made where it is missing.
    ///
    /// - Parameters:
    ///   - location: the account; it is locked for others that write.
    ///   - out: the folder of the export.
    ///   - passphrase: of the databases; empty for none.
    ///   - options: what the caller chooses.
    ///   - progress: sees the bytes that are done; throw to stop, which keeps what is done.
    /// - Returns: what was done; files that were left out are part of it.
    /// - Throws: ``MediaEncryptionError``: `invalid` for a folder inside of the account, `inUse` when another run
    ///   writes there, `alreadyExists` for a foreign manifest, `noSpace`, `interrupted`; `AccountMediaError`;
    ///   `AccountError`; `DatabaseError`; `FileError`. What was exported by then is whole.
    package func run(
        _ location: AccountLocation, to out: FilePath, passphrase: borrowing SecretBytes,
        options: MediaExportOptions = MediaExportOptions(), progress: ProgressHandler = { _ in }
    ) throws -> MediaExportReport {
        let start = ContinuousClock.now
        let reader = try AccountReader(location, fileSystem: fileSystem)
        defer { withExtendedLifetime(reader) {} }
        let connection = try reader.connect(.chat, passphrase: passphrase, progress: progress)
        guard let table = try MediaTable(connection) else {
            throw MediaEncryptionError(
                .unsupported, "this database has no files table", subject: connection.path.string)
        }
        // A chat that is not there is found before a folder is made.
        _ = try MediaFilter(options.selection, connection)
        let place = try ExportPlace(out, location, fileSystem)
        if !options.isDryRun { try fileSystem.makeDirectories(place.path) }
        let lock = try lock(place.path)
        defer { withExtendedLifetime(lock) {} }
        let run = try ExportRun(
            place.path, MediaFolder(location, fileSystem: fileSystem), options, fileSystem, workers)
        let due = try run.plan(table, connection, progress)
        if !options.isDryRun { try export(run, due, table, connection, progress) }
        var report = run.report
        report.inUse = reader.holder
        report.seconds = (ContinuousClock.now - start) / .seconds(1)
        return report
    }

    /// Refuses a folder that no export may go to.
    /// - Throws: ``MediaEncryptionError`` with `invalid`; `FileError`.
    package func refuse(_ out: FilePath, for location: AccountLocation) throws {
        _ = try ExportPlace(out, location, fileSystem)
    }

    /// - Returns: nil where there is nothing to lock.
    private func lock(_ path: FilePath) throws -> DirectoryLock? {
        guard try fileSystem.exists(path) else { return nil }
        if let lock = try DirectoryLock(path, .exclusive) { return lock }
        throw MediaEncryptionError(
            .inUse, "in use by another export. Nothing was changed.",
            subject: path.string)
    }

    private func export(
        _ run: ExportRun, _ due: [Int64], _ table: MediaTable, _ connection: borrowing Connection,
        _ progress: ProgressHandler
    ) throws {
        do {
            try run.export(due, table, connection, progress)
        } catch {
            run.keepFinished()
            guard let failure = error as? any Failure, [.interrupted, .noSpace].contains(failure.code) else {
                throw error
            }
            let reason = failure.code == .noSpace ? "disk or quota full" : "interrupted"
            let count = run.report.copied
            throw MediaEncryptionError(
                failure.code,
                "\(reason) after \(Count.text(count, "complete file")); the next run exports the rest",
                subject: run.out.string)
        }
    }
}
