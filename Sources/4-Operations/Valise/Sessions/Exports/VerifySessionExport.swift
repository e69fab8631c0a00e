package import SystemPackage
package import ValiseArchives
package import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSessionStore

/// Compares an export of a store of Session with its manifest: which files are missing, differ, or are more than it says.
package struct VerifySessionExport: Operation {
    /// A folder or a tar.
    package var export: FilePath
    /// How far the claims of a tar are trusted.
    package var limits = ZipLimits()
    /// Of the manifest, in bytes.
    var largestManifest = SessionManifest.largest

    package init(_ export: FilePath) { self.export = export }

    /// Whether a path is such an export, by its manifest or by the folder of the first entry of a tar.
    /// - Throws: `FileError`.
    package static func takes(_ path: FilePath) throws -> Bool {
        guard try !FileSystem().isDirectory(path) else {
            return try SessionExportFiles.isFolder(path)
        }
        return SessionExportFiles.isTar(path)
    }

    /// - Throws: ``OperationError``: `damaged`, `newer`, `notFound` without a manifest; `ContainerError`; `ZipError`; `FileError`.
    package func run(in context: OperationContext) async throws -> VerifiedSessionExport {
        let report = try await context.blocking { progress in
            let files = try SessionExportFiles(export, limits, largestManifest, progress)
            return VerifiedSessionExport(files, export: export)
        }
        context.tell(report.entryFailures)
        return report
    }
}

/// How an export compares with its manifest.
package struct VerifiedSessionExport: OperationReport {
    package let export: String
    package let session: BackedUpSession
    /// When it was made, in UTC.
    package let created: String
    /// How many files the manifest names.
    package let files: Int
    /// Of these, in bytes.
    package let size: Int64
    /// Files of the manifest that are not there.
    package let missing: [String]
    /// Files that the manifest does not name.
    package let extra: [String]
    /// Files that are not as the manifest says.
    package let differing: [String]
    /// Files that were missing, or not as they should be, when it was made.
    package let missingBefore: [String]

    init(_ found: SessionExportFiles, export: FilePath) {
        let manifest = found.manifest
        self.export = export.string
        session = BackedUpSession(manifest.facts)
        created = manifest.created
        files = manifest.files.count
        size = manifest.size
        missing = manifest.files.map(\.path).filter { found.found[$0] == nil }
        let named = Dictionary(manifest.files.map { ($0.path, $0) }) { first, _ in first }
        extra = found.found.keys.filter { named[$0] == nil }.sorted()
        differing = manifest.files.filter { file in
            found.found[file.path].map { $0.size != file.size || $0.sha256 != file.sha256 } ?? false
        }.map(\.path)
        missingBefore = manifest.problems.map(\.path)
    }

    package var entryFailures: [EntryFailure] {
        missing.map { EntryFailure($0, "missing") }
            + differing.map { EntryFailure($0, "not as the manifest says") }
            + extra.map { EntryFailure($0, "not in the manifest") }
    }

    /// Some lines.
    package var text: String {
        let verdict =
            hasEntryErrors
            ? "\(missing.count) missing, \(differing.count) changed, \(extra.count) more"
            : "as the manifest says"
        return "\(export): \(Count.text(files, "file")) (\(Count.bytes(size))), \(verdict)\n\(session.text)"
    }
}
