import SystemPackage
import ValiseFiles

/// Archives that other exports did not complete, and that nobody continued for a week.
struct OldLeftovers {
    let export: ArchiveExport

    /// In seconds.
    private static let lifetime: Int64 = 7 * 24 * 3600
    private static let suffix = PendingFile.suffix + ExportJournal.suffix

    /// Removes what is so old in the folder of an archive. What cannot be removed, or looked at, stays: nobody asked for it.
    func remove(beside archive: FilePath) {
        let folder = archive.parentFolder
        var names: [String] = []
        try? export.fileSystem.forEachEntry(of: folder) { entry throws(FileError) in
            guard entry.kind == .regular, let name = entry.name, name.hasSuffix(Self.suffix) else { return }
            names.append(String(name.dropLast(Self.suffix.count)))
        }
        for name in names.sorted() where !name.isEmpty {
            let other = folder.appending(name)
            if other != archive, (try? remove(other)) == true {
                export.reportContinuation(.removedOld(other.string))
            }
        }
    }

    /// - Returns: whether it was old, and is gone.
    private func remove(_ archive: FilePath) throws -> Bool {
        let fileSystem = export.fileSystem
        let journal = ExportOutput.journalPath(of: archive)
        guard try isOld(journal) else { return false }
        // Only what exports leave.
        try ExportOutput.checkPlace(archive, fileSystem)
        let file = try PendingFile(archive, keepsPrevious: true, fileSystem: fileSystem)
        // The archive goes with it, and the lock.
        defer { withExtendedLifetime(file) {} }
        guard try isOld(journal) else {
            file.isLeft = file.hasPrevious
            return false
        }
        try fileSystem.removeTree(ExportOutput.folder(of: archive))
        try fileSystem.remove(journal)
        return true
    }

    private func isOld(_ journal: FilePath) throws -> Bool {
        guard let found = try export.fileSystem.attributes(of: journal) else { return false }
        return export.clock() - found.modificationTime > Self.lifetime
    }
}
