import Synchronization
import SystemPackage
import ValiseConcurrency
import ValiseFailures
import ValiseFiles

extension FolderStore {
    package func create() throws {
        try attempt { () throws(FileError) in
            try fileSystem.makeDirectories(folder)
            let data = folder.appending(StoredKind.data.rawValue)
            for kind in StoredKind.allCases { try makeFolder(folder.appending(kind.rawValue)) }
            for digits in Self.packFolderDigits { try makeFolder(packFolder(digits)) }
            for parent in [data, folder] {
                try fileSystem.flushNames(in: parent)
                durableFolders.withLock { _ = $0.insert(parent) }
            }
        }
    }

    package func put(_ name: StoredName, _ content: [UInt8]) throws {
        try putBehind(name, content)?.settle()
    }

    // MARK: Files

    /// Whether the file is there with this content.
    /// - Throws: ``FileError``: `alreadyExists` where it has another one.
    func hasStored(_ content: [UInt8], _ path: FilePath) throws(FileError) -> Bool {
        guard let found = try fileSystem.attributes(of: path) else { return false }
        try check(found, path)
        do throws(FileError) {
            if found.size == Int64(content.count), try hasContent(content, path) { return true }
        } catch  where error.code == .notFound {
            return false
        }
        let error = StorageError.otherContent(path.string)
        throw FileError(error.code, error.message, path)
    }

    private func hasContent(_ content: [UInt8], _ path: FilePath) throws(FileError) -> Bool {
        let file = try fileSystem.openForReading(path)
        var start = 0
        while start < content.count {
            let piece = content[start..<min(start + 1 << 20, content.count)]
            guard try file.bytes(at: Int64(start), count: piece.count)[...] == piece else { return false }
            start = piece.endIndex
        }
        return true
    }

    /// Makes a file with all of its content, of which nothing is flushed.
    func write(_ content: [UInt8], _ temporary: FilePath) throws(FileError) -> OpenFile {
        var file = try fileSystem.create(temporary)
        if content.count < Self.largeContent {
            try file.write(content)
        } else {
            try writePassing(content, to: &file)
        }
        do throws(FileError) {
            try file.setPermissions(.ownerRead)
        } catch  where error.isRefusalOfAttributes {
            // Of disks of other systems, and of servers. The content does not depend on it.
        }
        return file
    }

    /// In bytes.
    private static let largeContent = 1 << 20

    /// Nobody reads a pack soon: past the system's cache it needs neither memory there nor the time that a copy into fresh memory
    /// takes.
    private func writePassing(_ content: [UInt8], to file: inout OpenFile) throws(FileError) {
        file.passCache()
        try file.reserve(Int64(content.count))
        let free = freeBuffers.withLock { $0.popLast() }
        let buffer = free ?? TransferBuffer(byteCount: Self.largeContent, inLargePages: false)
        defer { freeBuffers.withLock { $0.append(buffer) } }
        var start = 0
        while start < content.count {
            let piece = unsafe UnsafeMutableRawBufferPointer(
                rebasing: buffer.bytes[..<min(Self.largeContent, content.count - start)])
            unsafe piece.copyBytes(from: content[start..<start + piece.count])
            try unsafe file.write(UnsafeRawBufferPointer(piece))
            start += piece.count
        }
    }

    func flush(_ file: consuming OpenFile) throws(FileError) {
        try file.synchronize()
        try file.close()
    }

    /// Gives a complete file its name, unless the same content has it by now.
    func publish(
        _ temporary: FilePath, as path: FilePath, _ content: () throws(FileError) -> [UInt8]
    ) throws(FileError) {
        do throws(FileError) {
            try fileSystem.renameExclusively(temporary, to: path)
        } catch  where error.code == .alreadyExists {
            // Another thread or process was quicker.
            guard try hasStored(content(), path) else { throw error }
            try? fileSystem.remove(temporary)
        } catch  where error.remedy == .chooseAnotherFileSystem {
            // Such as a mounted server. Nobody had the name a moment ago; who has it now has the same content, unless two make
            // a repository at the same place at the same moment.
            try fileSystem.rename(temporary, to: path)
        }
    }

    // MARK: Folders

    /// Makes the folders on the way to a file that are missing, and their names durable.
    func makeFolders(of name: StoredName) throws(FileError) {
        var parent = folder
        for next in foldersDown(to: name) {
            try durableFolders.withLock { (durableFolders: inout Set<FilePath>) throws(FileError) in
                if try !isFolder(next) {
                    durableFolders.remove(parent)
                    try makeFolder(next)
                }
                guard !durableFolders.contains(parent) else { return }
                try fileSystem.flushNames(in: parent)
                durableFolders.insert(parent)
            }
            parent = next
        }
    }

    /// Makes a folder, unless it is there.
    private func makeFolder(_ path: FilePath) throws(FileError) {
        if try isFolder(path) { return }
        do throws(FileError) {
            try fileSystem.makeDirectory(path)
        } catch {
            // Another process may make the same one.
            guard error.code == .alreadyExists, try isFolder(path) else { throw error }
        }
    }
}
