import Synchronization
import SystemPackage
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Private copies of an account's databases, which go with this object.
final class PrivateCopies: Sendable {
    private let folder: FilePath
    /// Whether the folder is somebody else's, who removes it.
    private let isGiven: Bool
    private let location: AccountLocation
    private let fileSystem: FileSystem

    private static let mark = ".valise-reading-"
    private static let made = Atomic<Int>(0)

    /// - Parameter folder: where they go, and what nothing else uses; nil for one beside the databases.
    init(_ location: AccountLocation, in folder: FilePath?, _ fileSystem: FileSystem) {
        self.location = location
        self.fileSystem = fileSystem
        isGiven = folder != nil
        self.folder = folder ?? Self.folder(beside: location)
    }

    deinit { remove() }

    /// Removes all of them, which nobody may be reading any more.
    func remove() {
        guard isGiven else {
            try? fileSystem.removeTree(folder)
            return
        }
        for database in AccountDatabase.allCases {
            for suffix in [""] + DatabaseFile.sideSuffixes { try? remove(database, suffix) }
        }
    }

    private func remove(_ database: AccountDatabase, _ suffix: String) throws {
        let path = folder.appending(database.archiveName).appendingSuffix(suffix)
        if try fileSystem.exists(path) { try fileSystem.remove(path) }
    }

    /// Of this process alone, with its number, so that a later run knows whether it is still in use.
    private static func folder(beside location: AccountLocation) -> FilePath {
        let number = made.add(1, ordering: .relaxed).oldValue
        let name = ".\(location.prefix)\(mark)\(ProcessIdentity.current)"
        return location.directory.appending(number == 0 ? name : "\(name)-\(number)")
    }

    /// Where the copy of a database goes. The folder is made for it.
    /// - Throws: ``FileError``.
    func path(of database: AccountDatabase) throws -> FilePath {
        if !(try fileSystem.exists(folder)) {
            if !isGiven { try removeStaleCopies() }
            try fileSystem.makeDirectory(folder)
        }
        return folder.appending(database.archiveName)
    }

    /// Copies a file to where a database's copy goes. It does not outlive this process, so nothing is flushed.
    /// - Parameters:
    ///   - suffix: of a side file.
    ///   - limit: how many bytes are taken at most.
    /// - Throws: ``FileError``: `alreadyExists`; whatever `progress` throws.
    func copy(
        _ file: FilePath, of database: AccountDatabase, suffix: String = "", upTo limit: Int64? = nil,
        progress: (Int64) throws -> Void = { _ in }
    ) throws {
        let target = try path(of: database).appendingSuffix(suffix)
        let source = try fileSystem.openForReading(file.appendingSuffix(suffix))
        var copy = try fileSystem.create(target)
        do {
            try copy.append(contentsOf: source, progress: progress)
            if let limit, try copy.size() > limit { try copy.truncate(to: limit) }
            try copy.close()
        } catch {
            try? fileSystem.remove(target)
            throw error
        }
    }

    /// In bytes, for the copies.
    func freeSpace() throws -> Int64 {
        try fileSystem.freeSpace(at: isGiven ? folder.parentFolder : location.directory)
    }

    /// What processes left that did not end well.
    private func removeStaleCopies() throws {
        let lead = ".\(location.prefix)\(Self.mark)"
        for entry in try fileSystem.list(location.directory) where entry.kind == .directory {
            guard let name = entry.name, name.hasPrefix(lead),
                let process = Int32(name.dropFirst(lead.count).prefix { $0 != "-" }),
                process != ProcessIdentity.current, kill(process, 0) != 0
            else { continue }
            try fileSystem.removeTree(location.directory.appending(name))
        }
    }
}
