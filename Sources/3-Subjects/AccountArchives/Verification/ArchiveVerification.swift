package import SystemPackage
import ValiseAccounts
package import ValiseArchives
package import ValiseConcurrency
import ValiseContainers
import ValiseFailures
package import ValiseFiles
import ValiseMedia
package import ValiseSecrets

/// Tells whether an archive of an account is good, where it lies: nothing is unpacked to disk, and nothing is written. Only a tar,
/// cpio or 7z, which can be read but once and in order, is copied into a private zip first.
///
/// The structure of the zip, the checksum of every entry, both databases page by page and table by table, the media
/// against the messages that speak of them, and what an import would do. At most some 200 MiB of memory are in use
/// whatever the archive holds, most of it as SQLite's cache.
package struct ArchiveVerification {
    private let limits: ZipLimits
    private let copiesFolder: (() throws -> FilePath)?
    private let fileSystem: FileSystem

    /// - Parameters:
    ///   - limits: how far the archive's claims are trusted; those of an import unless told otherwise, so that
    ///     what an import would refuse is refused here.
    ///   - copiesFolder: where the private copy of a container goes that is no zip; nil for beside it.
    ///   - fileSystem: where files are read and written.
    package init(
        limits: ZipLimits = ZipLimits(), copiesIn copiesFolder: (() throws -> FilePath)? = nil,
        fileSystem: FileSystem = FileSystem()
    ) {
        self.limits = limits
        self.copiesFolder = copiesFolder
        self.fileSystem = fileSystem
    }

    /// Verifies as far as can be done with the passphrase, or without.
    ///
    /// - Parameters:
    ///   - archive: the zip file.
    ///   - passphrase: of both databases; nil where it is not known. Plain databases need none.
    ///   - progress: sees what is done; throw to stop.
    /// - Returns: what is wrong, which is no failure of the verification, and what could not be looked at.
    /// - Throws: `FileError` where the file is missing or cannot be read; ``VerificationError`` when the archive was
    ///   changed meanwhile; `ContainerError` with `noSpace` for the private copy; `SecretsError`; whatever `progress` throws.
    package func verify(
        _ archive: FilePath, passphrase: borrowing SecretBytes?, progress: ProgressHandler = { _ in }
    ) throws -> ArchiveVerificationReport {
        let start = ContinuousClock.now
        let file = try FileSource(archive, fileSystem: fileSystem)
        let before = try file.attributes()
        var report = ArchiveVerificationReport(archive, before)
        do {
            let content = try ArchiveStorage(try readable(file, &report, progress), limits: limits)
            var run = VerificationRun(content, report)
            defer { report = run.report }
            try run.run(passphrase, progress)
        } catch let error as ZipError where error.code == .damaged || error.code == .unsupported {
            report.structure.refuse(error)
        } catch let error as ContainerError where error.code == .damaged || error.code == .unsupported {
            report.structure.refuse(error)
        }
        if report.container == nil, report.structure.entries == 0 {
            report.structure.hasNoHeaders = try !ZipScan.findsHeader(in: file)
        }
        guard try file.attributes().isUnchanged(since: before) else {
            throw VerificationError(
                .failed, "the archive changed during verification", subject: archive.string,
                remedy: .giveCommandAgain)
        }
        report.settle()
        report.seconds = (ContinuousClock.now - start) / .seconds(1)
        return report
    }

    /// What can be read at any place.
    private func readable(
        _ archive: FileSource, _ report: inout ArchiveVerificationReport, _ progress: ProgressHandler
    ) throws -> FileSource {
        guard let kind = try ContainerKind(of: archive) else { return archive }
        report.container = kind.rawValue
        let copy = ContainerCopy(
            in: try copiesFolder?() ?? archive.path.parentFolder, limits: limits, fileSystem: fileSystem)
        return try FileSource(try copy.make(archive, kind, progress: progress), as: archive.path)
    }
}
