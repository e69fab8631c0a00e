import ValiseAccounts
import ValiseArchives
import ValiseCryptoFiles

/// What an extraction would do.
struct ExtractionPlan {
    private let selection: EntrySelection
    private let keys: ArchivedMediaKeys?
    private let folder: ExtractionFolder

    init(_ selection: EntrySelection, _ keys: ArchivedMediaKeys?, _ folder: ExtractionFolder) {
        self.selection = selection
        self.keys = keys
        self.folder = folder
    }

    func tell(_ report: inout ExtractionReport) {
        for entry in selection.entries {
            if let obstacle = folder.obstacle(for: entry.name) {
                report.archiveErrors.append(.fileError(file: entry.name, fileError: obstacle))
                continue
            }
            report.entries += 1
            report.size += entry.size
            guard let keys, case .file(let name) = ArchiveLayout.role(of: entry.name) else { continue }
            if keys.has(name) {
                report.decrypted += 1
                report.size -= min(entry.size, CryptoFileCipher.overhead)
            } else {
                report.withoutKey? += 1
            }
        }
    }
}
