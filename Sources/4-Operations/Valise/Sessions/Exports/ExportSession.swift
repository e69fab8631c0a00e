package import SystemPackage
package import ValiseAccountArchives
import ValiseConcurrency
import ValiseContainers
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSessionStore

/// Exports all files of a store of Session into a new folder or a tar, with a manifest. Its database is as of one moment, also while
/// the program runs.
package struct ExportSession: Operation {
    package var store: FilePath
    /// A name that ends in `.tar` or `.tar.zst`, or that of a new folder.
    package var destination: FilePath
    /// Nil for what the name says.
    package var format: ExportFormat?
    /// Of Zstandard, 1 to 19.
    package var level = ArchiveExport.Options.usualLevel
    /// Whether a tar of that name is replaced. A folder never is.
    package var replacesFile = false
    /// Of this program, such as `valise 1.2`.
    package var program = "valise"
    /// The password of a profile, or the key of a phone's database. It is needed only while the program may be running; otherwise it
    /// proves that the copy opens.
    package var passphrase: PassphraseSource
    /// Of the manifest, in bytes.
    var largestManifest = SessionManifest.largest

    package init(
        of store: FilePath, to destination: FilePath, passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.store = store
        self.destination = destination
        self.passphrase = passphrase
    }

    /// Whether a path is a store that is exported so.
    /// - Throws: `FileError`.
    package static func takes(_ path: FilePath) throws -> Bool { try SessionSource.find(path) != nil }

    package func plan(in context: OperationContext) async throws -> SessionExportPlan {
        let source = try await source(context)
        return try await context.blocking { progress in
            _ = try packing()
            let kept = try kept(source, context, progress)
            defer { extendLifetime(kept) }
            _ = try manifest(of: kept.files)
            return SessionExportPlan(kept.files, to: destination)
        }
    }

    /// - Throws: ``OperationError``: `notFound`, `unsupported`, `invalid`, `damaged`; `SessionStoreError`; `FileError`.
    package func run(in context: OperationContext) async throws -> SessionExportReport {
        let source = try await source(context)
        let report = try await context.blocking { progress in
            let kept = try kept(source, context, progress)
            defer { extendLifetime(kept) }
            return try write(kept.files, progress)
        }
        context.tell(report.entryFailures)
        return report
    }

    private func source(_ context: OperationContext) async throws -> SessionSource {
        let place = try await context.blocking { _ in try SessionSource.find(store) }
        guard let place else {
            throw OperationError(
                .notFound, "neither a profile of Session Desktop nor a folder of Session iOS",
                subject: store.string)
        }
        try await context.blocking { _ in try refuseInside(place.path) }
        return try await SessionSource(place, passphrase, in: context.asking(to: "export it"))
    }

    /// What is exported would have to contain itself.
    private func refuseInside(_ folder: FilePath) throws {
        let above = try FileSystem().resolve(destination.parentFolder)
        guard !above.starts(with: folder) else {
            throw OperationError(
                .invalid, "the export would be within the store. Nothing was written.",
                subject: destination.string)
        }
    }

    private func kept(
        _ source: SessionSource, _ context: OperationContext, _ progress: ProgressHandler
    ) throws -> KeptSession {
        let kept = try source.files(in: PrivateFolder.places(context.folders), progress)
        context.note(SessionCopyNote(store.string, kept.files.facts, damage: kept.files.damage))
        return kept
    }

    /// With what a tar is packed; nil for a folder.
    /// - Throws: ``OperationError``: `unsupported`.
    private func packing() throws -> TarWriter.Packing? {
        switch format ?? ExportFormat(endingOf: destination.string) {
        case .tar: return TarWriter.Packing.none
        case .tarZstd: return .zstd(level: level)
        case nil where ExportFormat.foreignEnding(of: destination.string) == nil: return nil
        case .zip, nil:
            throw OperationError(
                .unsupported, "a store of Session is exported into a folder, a tar or a tar.zst",
                subject: destination.string, remedy: .chooseAnotherName)
        }
    }

    private func output(_ size: Int64) throws -> any SessionExportOutput {
        guard let packing = try packing() else { return try SessionExportFolder(destination, size: size) }
        return try SessionExportTar(destination, packing, replaces: replacesFile)
    }

    /// Without files.
    /// - Throws: ``OperationError`` with `unsupported` where it would become too large to be read.
    private func manifest(of files: SessionFiles) throws -> SessionManifest {
        let manifest = SessionManifest(files.facts, created: UTCTime.now.isoText, program: program)
        let size = manifest.size(with: files)
        guard size <= largestManifest else {
            throw SessionExportWriter.tooLarge(size, largestManifest, store)
        }
        return manifest
    }

    private func write(_ files: SessionFiles, _ progress: ProgressHandler) throws -> SessionExportReport {
        let manifest = try manifest(of: files)
        var writer = SessionExportWriter(try output(files.size), manifest, largest: largestManifest)
        if let damage = files.damage {
            writer.fail(files.kind.database, "the database is damaged: \(damage); kept as it is")
        }
        let size = try writer.write(files, progress)
        return SessionExportReport(writer.manifest, store: store, to: destination, size: size)
    }
}
