import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseContainers
import ValiseFailures
import ValiseFiles

/// A damaged archive that is no zip: what can be read of it, as a private zip, and what cannot.
struct SalvagedContainer {
    /// The zip, which goes with this process.
    let content: FileSource
    private let kind: ContainerKind
    private let findings: ContainerCopy.Findings

    /// Nil for what is no tar, cpio or 7z.
    ///
    /// - Parameters:
    ///   - archive: the damaged archive.
    ///   - target: where the new one goes. The private zip is on the same disk.
    ///   - ratio: how many times its size the content may have.
    /// - Throws: `ContainerError` where no entry is supported, or for lack of space; `FileError`; whatever `progress` throws.
    init?(
        _ archive: FileSource, beside target: FilePath, ratio: Int64, _ fileSystem: FileSystem,
        _ progress: ProgressHandler
    ) throws {
        guard let kind = try ContainerKind(of: archive) else { return nil }
        let copy = ContainerCopy(
            in: target.parentFolder, isUnpackedThere: true, limits: ZipLimits(ratio: ratio),
            fileSystem: fileSystem)
        var findings = ContainerCopy.Findings()
        let file = try copy.salvage(archive, kind, findings: &findings, progress: progress)
        if !findings.hasContent, let end = findings.end, end.code == .unsupported { throw end }
        content = try FileSource(file, as: archive.path)
        self.kind = kind
        self.findings = findings
    }

    /// Takes what is cut from the entries that are kept. A database of which there is a beginning is left to the salvage of
    /// databases.
    func leaveOut(_ selection: inout SalvagedEntries, _ report: inout ArchiveSalvageReport) {
        for lost in findings.lost {
            let name = lost.name ?? "an entry without a name"
            switch ArchiveLayout.role(of: name) {
            case .database(let database) where lost.copied != nil:
                selection.condemn(database, because: lost.reason.sentence, isCut: true)
            case .other where Self.isValid(name):
                // One that is cut is among these already.
                if lost.copied == nil { report.others.append(name) }
            default:
                if lost.copied != nil { selection.remove(name) }
                report.lost.append(
                    .init(
                        name: name, reason: lost.reason, offset: nil, bytes: lost.copied ?? 0,
                        olderIsKept: selection.whole.contains { $0.name == name }))
            }
        }
    }

    private static func isValid(_ name: String) -> Bool { (try? ZipName.check(Array(name.utf8))) != nil }

    /// Completes what the scan of the private zip says: it is whole where the archive is not, and its positions say nothing of
    /// the archive.
    func note(_ report: inout ArchiveSalvageReport) {
        report.container = kind.rawValue
        report.lost = report.lost.map(\.withoutOffset)
        guard let end = findings.end else { return }
        report.isEverythingNamed = false
        let entry = end.entry.map { "\($0): " } ?? ""
        let consequence =
            end.defect == .checksum
            ? "recovered files may be damaged" : "the archive may have contained more"
        report.notes.append("\(entry)\(end.message); \(consequence)")
    }

    /// Why nothing can be recovered.
    ///
    /// - Parameter copied: how many entries are in the private zip.
    func nothing(_ copied: Int) -> String {
        if copied == 0, let end = findings.end { return end.message }
        return findings.entries == 0
            ? "the archive is empty"
            : "none of the entries found (\(findings.entries)) is an intact account entry"
    }
}
