package import SystemPackage
import ValiseFailures
package import ValiseFiles

/// Finds out who uses a file, as far as the system tells.
package enum LockHolder {
    /// How a process is shown: its name and number.
    static func describe(_ process: Int32, _ fileSystem: FileSystem) -> String {
        guard process > 0 else { return "another process" }
        let name = try? fileSystem.procText(FilePath("/proc/\(process)/comm"))
        return name.map { "\($0) (PID \(process))" } ?? "PID \(process)"
    }

    /// The holder of an flock on this inode, from the kernel's list.
    static func flockHolder(inode: UInt64, _ fileSystem: FileSystem) -> Int32 {
        guard let table = try? fileSystem.procText("/proc/locks") else { return 0 }
        for line in table.split(separator: "\n") where line.contains("FLOCK") {
            let fields = line.split(separator: " ")
            guard let place = fields.first(where: { $0.filter { $0 == ":" }.count == 2 }),
                place.hasSuffix(":\(inode)"), let index = fields.firstIndex(of: place), index > 0
            else { continue }
            return Int32(fields[index - 1]) ?? 0
        }
        return 0
    }

    /// The process that has a folder locked for itself at this moment; 0 where the system does not tell, nil for none.
    /// - Throws: ``FileError``.
    package static func ofFolder(
        _ path: FilePath, _ fileSystem: FileSystem
    ) throws(FileError) -> Int32? {
        // For a moment, in which nobody else can lock it for itself; whoever tries looks again.
        let lock = try DirectoryLock(path, .shared)
        guard lock == nil else { return nil }
        let inode = try fileSystem.attributes(of: fileSystem.resolve(path))?.inode
        return inode.map { flockHolder(inode: $0, fileSystem) } ?? 0
    }

    /// How long a process can be a copy of another that has yet to become the program it was made for. One that is a copy
    /// for longer stays it.
    private static let longestStart: Duration = .seconds(5)

    /// Whether a holder may be gone in a moment, without anybody having let go.
    ///
    /// A process that another thread or program just started shares all descriptors, and so the locks, until it runs its own
    /// program. One that is dying has them until the system has cleaned up.
    static func isTransient(_ process: Int32, _ fileSystem: FileSystem) -> Bool {
        guard process > 0 else { return true }
        #if os(Linux)
            // What cannot be looked at has gone meanwhile.
            guard let state = ProcessState(process, fileSystem) else { return true }
            return state.isEnding || state.isCopy && state.age < longestStart
        #else
            return false
        #endif
    }

    /// The name of a process that has one of the files open; nil for none, as far as the system tells.
    package static func named(ofAny paths: [FilePath], _ fileSystem: FileSystem = FileSystem()) -> String? {
        openedBy(anyOf: paths, fileSystem).map { describe($0, fileSystem) }
    }

    /// Another process that has one of the files open, though it holds no lock at this moment.
    ///
    /// An app that is merely running holds none between its transactions, and would go on writing to a
    /// file that we replace. Processes of other users are not visible.
    static func openedBy(anyOf paths: [FilePath], _ fileSystem: FileSystem) -> Int32? {
        #if os(Linux)
            let wanted = paths.compactMap { try? fileSystem.resolve($0) }
            guard !wanted.isEmpty else { return nil }
            return fileSystem.processes(withOpen: wanted).first { $0 != ProcessIdentity.current }
        #else
            return nil
        #endif
    }
}
