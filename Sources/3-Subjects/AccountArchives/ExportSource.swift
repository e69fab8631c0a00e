import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseFailures
import ValiseFiles

/// A database that goes into an archive.
struct ExportedDatabase {
    let stored: StoredDatabase
    /// Its bytes as of its last transaction.
    var source: any ByteSource
}

/// One file that goes into an archive.
///
/// There may be hundreds of thousands: a file of media keeps its own name alone, not two whole paths.
struct ExportSource {
    private let folder: FilePath
    private let target: String
    private let fileName: String
    let size: Int64
    let modificationTime: Int64
    /// The bytes of a database, which is open already.
    private let opened: (any ByteSource)?

    init(_ folder: FilePath, _ fileName: String, in target: String, _ attributes: FileAttributes) {
        self.folder = folder
        self.fileName = fileName
        self.target = target
        size = attributes.size
        modificationTime = attributes.modificationTime
        opened = nil
    }

    init(_ database: ExportedDatabase) {
        folder = database.stored.path
        fileName = ""
        target = database.stored.database.archiveName
        size = database.source.size
        modificationTime = database.stored.modificationTime
        opened = database.source
    }

    var isDatabase: Bool { opened != nil }

    /// The bytes.
    /// - Throws: ``FileError``.
    func open(_ fileSystem: FileSystem) throws(FileError) -> any ByteSource {
        if let opened { return opened }
        return try FileSource(path, fileSystem: fileSystem)
    }

    /// Where the file is.
    var path: FilePath { isDatabase ? folder : folder.appending(fileName) }

    /// Its path in the archive.
    var name: String { isDatabase ? target : "\(target)/\(fileName)" }
}

/// Collects what goes into an archive, and what cannot.
struct ExportCollector {
    private let fileSystem: FileSystem
    private(set) var sources: [ExportSource] = []
    private(set) var errors: [ArchiveError] = []
    private var choice: ExportChoice
    /// Of the databases among the sources; nil where they are not checked.
    var check: ExportedDatabasesCheck?
    /// Names so far, folded as Windows and macOS do: two files must not land on one there.
    private var taken = FoldedNames()

    init(_ choice: ExportChoice, _ fileSystem: FileSystem) {
        self.choice = choice
        self.fileSystem = fileSystem
    }

    /// What was left out because it is not wanted; nil where everything is.
    var partial: PartialArchive? { choice.partial }

    /// The bytes of all sources.
    var size: Int64 { sources.reduce(0) { $0 + $1.size } }

    /// What the archive takes at most, in bytes: headers and names twice, and the little that packing may add.
    var spaceNeeded: Int64 {
        sources.reduce(Int64(65_536)) { $0 + $1.size + Int64(400 + 2 * $1.name.utf8.count) }
    }

    mutating func add(_ database: ExportedDatabase) { sources.append(ExportSource(database)) }

    /// Every regular file that lies directly in the folder, as the official export has it.
    mutating func addFolder(_ folder: FilePath, as target: String) throws {
        guard try fileSystem.isDirectory(folder) else { return }
        for entry in try fileSystem.list(folder) where entry.kind != .directory {
            let shown = target + "/" + String(decoding: entry.nameBytes, as: UTF8.self)
            let answer = choice.answer(entry.name, in: target)
            guard answer == .selected else {
                try leaveOut(entry, folder, shown, answer)
                continue
            }
            if let reason = try add(entry, folder, target) {
                errors.append(.fileError(file: shown, fileError: reason))
            }
        }
    }

    private mutating func leaveOut(
        _ entry: DirectoryEntry, _ folder: FilePath, _ shown: String, _ answer: SelectedMedia.Answer
    ) throws {
        // What is no file is in no archive, and so is not missed in this one.
        guard entry.kind == .regular, let component = FilePath.Component(bytes: entry.nameBytes),
            let found = try fileSystem.attributes(of: folder.appending(component))
        else { return }
        choice.leaveOut(shown, size: found.size, answer)
    }

    /// Returns why the file is left out, or nil.
    private mutating func add(
        _ entry: DirectoryEntry, _ folder: FilePath, _ target: String
    ) throws -> Remark? {
        guard let name = entry.name, let component = FilePath.Component(bytes: entry.nameBytes) else {
            return Remark("name is not valid UTF-8", remedy: .renameFile)
        }
        if let (_, reason) = ZipName.fault(ofComponent: name) {
            return Remark("name is not portable: \(reason)", remedy: .renameFile)
        }
        guard entry.kind == .regular else { return "not a regular file" }
        guard taken.insert("\(target)/\(name)") else {
            return Remark("name differs only in case from another file's", remedy: .renameFile)
        }
        guard let found = try fileSystem.attributes(of: folder.appending(component)) else {
            return "no longer exists"
        }
        sources.append(ExportSource(folder, name, in: target, found))
        return nil
    }
}
