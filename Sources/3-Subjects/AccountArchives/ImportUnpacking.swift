import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseFailures
import ValiseFiles

/// Unpacks the entries of an archive into the staging folder of a change.
final class ImportUnpacking {
    private let change: AccountChange
    private let location: AccountLocation
    private let fileSystem: FileSystem
    private let archive: FilePath
    private let total: Int64
    private let databases: ImportedDatabases
    /// The one that is being unpacked.
    private var database: AccountDatabase?
    private let filesFolder: FilePath
    private let wallpapersFolder: FilePath

    private(set) var errors: [ArchiveError] = []
    private(set) var ignored: [String] = []
    private(set) var entries = 0
    private(set) var done: Int64 = 0
    private var current = OptionalFile.none
    private let isFresh: Bool

    private enum OptionalFile: ~Copyable {
        case none
        case open(OpenFile)
    }

    init(
        _ change: AccountChange, _ location: AccountLocation, _ archive: FilePath,
        _ databases: ImportedDatabases, _ fileSystem: FileSystem, total: Int64
    ) throws {
        self.databases = databases
        self.archive = archive
        self.change = change
        self.location = location
        self.fileSystem = fileSystem
        self.total = total
        isFresh =
            try !fileSystem.exists(location.filesFolder) && !fileSystem.exists(location.wallpapersFolder)
        filesFolder = try change.stageFolder("files", mergingInto: location.filesName)
        wallpapersFolder = try change.stageFolder("wallpapers", mergingInto: location.wallpapersName)
        for database in AccountDatabase.allCases { change.replaces(database) }
    }

    func unpack(_ content: ArchiveStorage, _ progress: ProgressHandler) throws {
        var name = ""
        try unsafe content.contents.extract(
            begin: { entry in
                name = entry.name
                return try begin(entry)
            },
            consume: { bytes in
                try unsafe write(bytes)
                done += Int64(bytes.count)
                try progress(.entry(name, completed: done, total: total))
            },
            end: { entry, outcome in try end(entry, outcome) })
    }

    private func begin(_ entry: ZipEntry) throws -> Bool {
        guard let target = target(of: entry) else {
            ignored.append(entry.name)
            return false
        }
        if let obstacle = try obstacle(for: entry) {
            errors.append(.fileError(file: entry.name, fileError: Remark(obstacle)))
            return false
        }
        var file = try fileSystem.create(target)
        if entry.size >= TransferBuffer.pageSize { file.passCache() }
        current = .open(file)
        database =
            if case .database(let database) = ArchiveLayout.role(of: entry.name) { database } else { nil }
        if let database { try databases.begin(database) }
        return true
    }

    private func target(of entry: ZipEntry) -> FilePath? {
        switch ArchiveLayout.role(of: entry.name) {
        case .database(let database): change.stagedPath(of: database)
        case .file(let name): filesFolder.appending(name)
        case .wallpaper(let name): wallpapersFolder.appending(name)
        case .other: nil
        }
    }

    /// A file cannot take the place of a folder; found now, before anything is decided.
    private func obstacle(for entry: ZipEntry) throws -> String? {
        if isFresh { return nil }
        let path: FilePath
        switch ArchiveLayout.role(of: entry.name) {
        case .file(let name): path = location.filesFolder.appending(name)
        case .wallpaper(let name): path = location.wallpapersFolder.appending(name)
        default: return nil
        }
        return try ImportObstacle.text(path, fileSystem)
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws {
        guard case .open(var file) = take() else { return }
        if database != nil { try unsafe databases.add(bytes) }
        try unsafe file.write(bytes)
        current = .open(file)
    }

    private func take() -> OptionalFile {
        var taken = OptionalFile.none
        swap(&taken, &current)
        return taken
    }

    private func end(_ entry: ZipEntry, _ outcome: ZipContents.Outcome) throws {
        if case .open(let file) = take() { try file.close() }
        switch outcome {
        case .intact:
            entries += 1
            if let database { try databases.end(database, at: change.stagedPath(of: database)) }
        case .damaged(let error):
            if case .database = ArchiveLayout.role(of: entry.name) {
                throw error.naming(archive: archive.string)
            }
            if let target = target(of: entry) { try fileSystem.remove(target) }
            errors.append(.fileError(file: entry.name, fileError: Remark(error)))
        }
    }
}
