package import SystemPackage
import ValiseEncoding
import ValiseFailures
package import ValiseFiles

extension SessionBackup {
    /// What was extracted.
    package struct Extraction: Sendable, Hashable {
        /// Extra files too.
        package let files: Int
        /// Of their contents, in bytes.
        package let bytes: Int64
    }

    /// Beside what is extracted, so many bytes stay free.
    private static let reserve: Int64 = 16 << 20

    /// Extracts all files into a folder, for the user alone. Each gets its name once it is complete and durable.
    ///
    /// - Parameters:
    ///   - folder: is made where it is missing; else it must be empty.
    ///   - keepsComplete: whether files that were complete before a failure stay. Else the folder is left as it was.
    ///   - fileSystem: where they are written.
    ///   - progress: gets the bytes of the backup that were read; throw to stop.
    /// - Throws: ``SessionStoreError``: `damaged`, `invalid` for a folder that is not empty; `FileError`: `noSpace` before
    ///   anything is written; errors of the source; whatever `progress` throws.
    package func extract(
        into folder: FilePath, keepsComplete: Bool = false, fileSystem: FileSystem = FileSystem(),
        progress: (Int64) throws -> Void = { _ in }
    ) throws -> Extraction {
        let isNew = try !fileSystem.exists(folder)
        try checkPlace(folder, isNew, fileSystem)
        if isNew { try fileSystem.makeDirectory(folder) }
        do {
            var files = ExtractedFiles(folder, fileSystem)
            try read(into: &files, progress: progress)
            try files.finish()
            if isNew { try fileSystem.synchronizeDirectory(folder.parentFolder) }
            return Extraction(files: files.count, bytes: files.bytes)
        } catch {
            // What stopped it is told, whatever happens here.
            try? fileSystem.removeTree(folder.appending(SessionBackupPath.temporaryName))
            if !keepsComplete { try? Self.empty(folder, removing: isNew, fileSystem) }
            throw error
        }
    }

    private func checkPlace(_ folder: FilePath, _ isNew: Bool, _ fileSystem: FileSystem) throws {
        if !isNew {
            guard try fileSystem.attributes(of: folder)?.kind == .directory,
                try fileSystem.list(folder).isEmpty
            else {
                throw SessionStoreError(
                    .invalid, "the backup is only extracted into a new or empty folder. Nothing was written.",
                    folder.string, remedy: .chooseAnotherFolder)
            }
        }
        let needed = source.size + Self.reserve
        let place = isNew ? folder.parentFolder : folder
        let free = try fileSystem.freeSpace(at: place)
        guard free >= needed else {
            throw FileError(
                .noSpace,
                "the files need \(Count.bytes(needed)), but only \(Count.bytes(free)) are free. Nothing was written.",
                folder, remedy: .freeSpace(needed - free, in: place))
        }
    }

    private static func empty(_ folder: FilePath, removing: Bool, _ fileSystem: FileSystem) throws {
        for entry in try fileSystem.list(folder) {
            guard let name = FilePath.Component(bytes: entry.nameBytes) else { continue }
            try fileSystem.removeTree(folder.appending(name))
        }
        if removing { try fileSystem.removeDirectory(folder) }
    }
}
