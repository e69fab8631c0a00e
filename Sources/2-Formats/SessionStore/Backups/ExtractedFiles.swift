import SystemPackage
import ValiseFailures
import ValiseFiles

/// Writes the files of a backup into a folder that was empty.
struct ExtractedFiles: SessionBackupReceiver {
    private let folder: FilePath
    private let fileSystem: FileSystem
    /// A class holds what cannot be copied.
    private final class Writing {
        var file: OpenFile
        init(_ file: consuming OpenFile) { self.file = file }
    }
    private var writing: Writing?
    /// Those whose names have to be made durable.
    private var folders: Set<String> = []

    /// How many files are complete.
    private(set) var count = 0
    /// Of their contents, in bytes.
    private(set) var bytes: Int64 = 0

    init(_ folder: FilePath, _ fileSystem: FileSystem) {
        self.folder = folder
        self.fileSystem = fileSystem
    }

    private var temporary: FilePath { folder.appending(SessionBackupPath.temporaryName) }

    mutating func begin(_ entry: SessionBackupEntry) throws -> Bool {
        writing = Writing(try fileSystem.create(temporary))
        return true
    }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) throws {
        try unsafe writing?.file.write(bytes)
    }

    mutating func end(_ entry: SessionBackupEntry, isRegular: Bool) throws {
        try writing?.file.synchronize()
        // It is closed with its last owner.
        writing = nil
        let target = try place(of: entry.path)
        try fileSystem.renameExclusively(temporary, to: target)
        count += 1
        bytes += entry.size
    }

    /// Makes the folders of a path. What is there and is no folder is refused, links too: the system would follow them.
    private mutating func place(of path: String) throws -> FilePath {
        var place = folder
        let names = path.split(separator: "/")
        for name in names.dropLast() {
            place = place.appending(String(name))
            guard folders.insert(place.string).inserted else { continue }
            do throws(FileError) {
                try fileSystem.makeDirectory(place)
            } catch {
                guard error.code == .alreadyExists,
                    try fileSystem.attributes(of: place)?.kind == .directory
                else { throw error }
            }
        }
        return place.appending(String(names[names.count - 1]))
    }

    /// Makes all names durable.
    func finish() throws {
        for path in folders.sorted() { try fileSystem.synchronizeDirectory(FilePath(path)) }
        try fileSystem.synchronizeDirectory(folder)
    }
}
