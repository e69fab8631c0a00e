import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseFailures
import ValiseFiles

/// Unpacks an archive to nowhere and compares each entry with what it would replace.
final class ImportRehearsal {
    private let location: AccountLocation
    private let archive: FilePath
    private let fileSystem: FileSystem
    private let total: Int64
    private var done: Int64 = 0
    private var comparison: FileMatch?
    private var identicalDatabases: Set<AccountDatabase> = []

    init(_ location: AccountLocation, _ archive: FilePath, _ fileSystem: FileSystem, total: Int64) {
        self.location = location
        self.archive = archive
        self.fileSystem = fileSystem
        self.total = total
    }

    /// Whether both databases are in place already, byte by byte.
    var databasesAreIdentical: Bool { identicalDatabases.count == AccountDatabase.allCases.count }

    func run(
        _ content: ArchiveStorage, _ plan: inout ImportPlan, _ progress: ProgressHandler
    ) throws {
        var found = plan
        var name = ""
        try unsafe content.contents.extract(
            begin: { entry in
                name = entry.name
                return try begin(entry, &found)
            },
            consume: { bytes in
                try unsafe comparison?.compare(bytes)
                done += Int64(bytes.count)
                try progress(.file(name, "comparing", completed: done, total: total))
            },
            end: { entry, outcome in try end(entry, outcome, &found) })
        try countStaying(content.index, &found)
        plan = found
    }

    private func begin(_ entry: ZipEntry, _ plan: inout ImportPlan) throws -> Bool {
        guard let path = path(of: entry) else {
            plan.ignored.append(entry.name)
            return false
        }
        let isDatabase = if case .database = ArchiveLayout.role(of: entry.name) { true } else { false }
        if !isDatabase, let obstacle = try ImportObstacle.text(path, fileSystem) {
            plan.archiveErrors.append(.fileError(file: entry.name, fileError: Remark(obstacle)))
            return false
        }
        comparison = try FileMatch(path, size: entry.size, fileSystem)
        return true
    }

    private func path(of entry: ZipEntry) -> FilePath? {
        switch ArchiveLayout.role(of: entry.name) {
        case .database(let database): location.path(of: database)
        case .file(let name): location.filesFolder.appending(name)
        case .wallpaper(let name): location.wallpapersFolder.appending(name)
        case .other: nil
        }
    }

    private func end(
        _ entry: ZipEntry, _ outcome: ZipContents.Outcome, _ plan: inout ImportPlan
    ) throws {
        let isIdentical = comparison?.isEqual ?? false
        comparison = nil
        let role = ArchiveLayout.role(of: entry.name)
        if case .damaged(let error) = outcome {
            if case .database = role { throw error.naming(archive: archive.string) }
            plan.archiveErrors.append(.fileError(file: entry.name, fileError: Remark(error)))
            return
        }
        switch role {
        case .database(let database): if isIdentical { identicalDatabases.insert(database) }
        case .file(let name): try count(name, entry, isIdentical, location.filesFolder, &plan.media)
        case .wallpaper(let name):
            try count(name, entry, isIdentical, location.wallpapersFolder, &plan.wallpapers)
        case .other: break
        }
    }

    private func count(
        _ name: String, _ entry: ZipEntry, _ isIdentical: Bool, _ folder: FilePath,
        _ plan: inout ImportPlan.Folder
    ) throws {
        if isIdentical {
            plan.identical.add(entry.size)
        } else if try fileSystem.exists(folder.appending(name)) {
            plan.replaced.add(entry.size)
            plan.replacedNames.append(name)
        } else {
            plan.new.add(entry.size)
        }
    }

    // MARK: What stays

    private func countStaying(_ index: ZipIndex, _ plan: inout ImportPlan) throws {
        // By bytes, as the file system compares names.
        var (files, wallpapers): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
        for entry in index.entries where !entry.isFolder {
            switch ArchiveLayout.role(of: entry.name) {
            case .file(let name): files.insert(Array(name.utf8))
            case .wallpaper(let name): wallpapers.insert(Array(name.utf8))
            default: continue
            }
        }
        plan.media.staying = try staying(in: location.filesFolder, but: files)
        plan.wallpapers.staying = try staying(in: location.wallpapersFolder, but: wallpapers)
    }

    private func staying(in folder: FilePath, but names: Set<[UInt8]>) throws -> ImportPlan.Tally {
        var tally = ImportPlan.Tally()
        guard try fileSystem.isDirectory(folder) else { return tally }
        for entry in try fileSystem.list(folder)
        where entry.kind == .regular && !names.contains(entry.nameBytes) {
            guard let name = FilePath.Component(bytes: entry.nameBytes) else { continue }
            tally.add(try fileSystem.attributes(of: folder.appending(name))?.size ?? 0)
        }
        return tally
    }
}

/// What keeps an entry from arriving.
enum ImportObstacle {
    /// A file cannot take the place of a folder.
    static func text(_ path: FilePath, _ fileSystem: FileSystem) throws(FileError) -> String? {
        guard try fileSystem.attributes(of: path)?.kind == .directory else { return nil }
        return "a folder with this name already exists"
    }
}
