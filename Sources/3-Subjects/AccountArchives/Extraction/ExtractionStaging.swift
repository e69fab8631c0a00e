import SystemPackage
import ValiseCryptoFiles
import ValiseFailures
import ValiseFiles

/// Files while they are extracted, and how they get their names: many at a time, so that one flush serves them all.
///
/// A file is whole, proved and durable before it has its name. What a killed run left is removed by the next one.
final class ExtractionStaging {
    /// What was done to a file.
    enum Kind {
        case decrypted, withoutKey, other
    }

    private struct Item {
        let name: String
        let partial: FilePath
        let size: Int64
        let kind: Kind
    }

    private let folder: ExtractionFolder
    private let replacesFiles: Bool
    private let fileSystem: FileSystem
    private var staged: [Item] = []
    private var stagedSize: Int64 = 0
    private var number = 0
    /// Files that have their names.
    private(set) var published: [Kind: Int] = [:]
    /// Their bytes.
    private(set) var publishedSize: Int64 = 0
    private(set) var errors: [ArchiveError] = []

    private static let mostFiles = 1024
    private static let mostBytes: Int64 = 256 << 20

    /// Removes what a killed run left, and makes the folder for unfinished files.
    /// - Throws: ``FileError``.
    init(_ folder: ExtractionFolder, replacesFiles: Bool, _ fileSystem: FileSystem) throws(FileError) {
        self.folder = folder
        self.replacesFiles = replacesFiles
        self.fileSystem = fileSystem
        try fileSystem.removeTree(place)
        try fileSystem.makeDirectory(place)
    }

    deinit { try? fileSystem.removeTree(place) }

    private var place: FilePath { folder.path.appending(ExtractionFolder.stagingName) }

    /// A path for a new file.
    func nextPartial() -> FilePath {
        number += 1
        return place.appending("\(number)")
    }

    /// Takes a file that is whole.
    /// - Parameter size: in bytes.
    /// - Throws: ``FileError``.
    func add(_ name: String, _ partial: FilePath, size: Int64, _ kind: Kind) throws(FileError) {
        staged.append(Item(name: name, partial: partial, size: size, kind: kind))
        stagedSize += size
        if staged.count >= Self.mostFiles || stagedSize >= Self.mostBytes { try flush() }
    }

    /// Gives the last files their names, and makes all names durable.
    /// - Throws: ``FileError``.
    func end() throws(FileError) {
        try flush()
        try fileSystem.removeTree(place)
        if !published.isEmpty { try fileSystem.synchronizeAll(folder.path) }
    }

    private func flush() throws(FileError) {
        guard !staged.isEmpty else { return }
        let items = staged
        staged = []
        stagedSize = 0
        try fileSystem.synchronizeAll(folder.path)
        for item in items { try publish(item) }
    }

    private func publish(_ item: Item) throws(FileError) {
        // Once more: time has passed, and another entry may have got its name.
        if let obstacle = folder.obstacle(for: item.name) { return try leaveOut(item, obstacle) }
        try folder.makeFolders(for: item.name)
        let target = folder.target(of: item.name)
        do throws(FileError) {
            if replacesFiles {
                try ReplaceableContent.like(item.partial, fileSystem: fileSystem)
                    .check(target, fileSystem: fileSystem)
                try fileSystem.rename(item.partial, to: target)
            } else {
                try fileSystem.renameExclusively(item.partial, to: target)
            }
        } catch  where error.code == .alreadyExists {
            return try leaveOut(item, Remark(error))
        }
        published[item.kind, default: 0] += 1
        publishedSize += item.size
    }

    private func leaveOut(_ item: Item, _ reason: Remark) throws(FileError) {
        errors.append(.fileError(file: item.name, fileError: reason))
        try fileSystem.remove(item.partial)
    }
}
