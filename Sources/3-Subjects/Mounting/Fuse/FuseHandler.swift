import CValiseFuse
import Synchronization
import SystemPackage
import ValiseEncoding
import ValiseFailures

/// Answers the kernel's requests about a tree.
final class FuseHandler: Sendable {
    let table: FuseTable
    private let problem: @Sendable (MountProblem) -> Void
    private let files = FuseHandles<any TreeFile>()
    private let folders = FuseHandles<OpenFolder>()
    /// Requests end where they can.
    private let isStopping = Atomic(false)

    /// - Parameters:
    ///   - most: so many entries are remembered, besides those that are used.
    ///   - problem: is told of what cannot be read, on any thread.
    init(
        _ tree: any FileTree, most: Int = 50_000, problem: @escaping @Sendable (MountProblem) -> Void
    ) {
        table = FuseTable(tree.root, most: most)
        self.problem = problem
    }

    func stop() { isStopping.store(true, ordering: .relaxed) }

    private func checkpoint() throws {
        if isStopping.load(ordering: .relaxed) || valise_fuse_is_interrupted() { throw Interruption() }
    }

    /// Tells of a failure, and finds its number.
    private func number(of error: any Error, _ name: [UInt8]) -> Int32 {
        if let problem = MountProblem(name, error) { self.problem(problem) }
        return FuseErrors.number(of: error).rawValue
    }

    // MARK: Entries

    /// - Returns: what is told of an entry, which the kernel knows once more from here on.
    func lookUp(_ name: [UInt8], in folder: UInt64) -> Result<valise_fuse_attributes, Errno> {
        guard let above = table.item(folder)?.folder else { return .failure(.notDirectory) }
        do {
            guard let item = try above.item(named: name) else { return .failure(.noSuchFileOrDirectory) }
            return .success(Self.attributes(item, table.add(name, item, in: folder)))
        } catch {
            return .failure(Errno(rawValue: number(of: error, name)))
        }
    }

    func attributes(_ inode: UInt64) -> valise_fuse_attributes? {
        table.item(inode).map { Self.attributes($0, inode) }
    }

    private static func attributes(_ item: TreeItem, _ inode: UInt64) -> valise_fuse_attributes {
        valise_fuse_attributes(
            inode: inode, mode: item.mode, size: item.size, seconds: item.modified?.seconds ?? 0,
            nanoseconds: Int64(item.modified?.nanoseconds ?? 0))
    }

    /// - Returns: where a link points to; nil for what is none.
    func target(_ inode: UInt64) -> [UInt8]? {
        if case .link(let target)? = table.item(inode)?.content { target } else { nil }
    }

    // MARK: Files

    func open(_ inode: UInt64) -> Result<UInt64, Errno> {
        guard case .file(let content, _)? = table.item(inode)?.content else { return .failure(.isDirectory) }
        do {
            return .success(files.add(try content.open(checkpoint: checkpoint), inode))
        } catch {
            return .failure(Errno(rawValue: number(of: error, table.name(of: inode))))
        }
    }

    /// - Returns: how many bytes there are.
    func read(
        _ handle: UInt64, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> Result<Int, Errno> {
        guard let (file, inode) = files[handle] else { return .failure(.badFileDescriptor) }
        do {
            try checkpoint()
            return .success(try unsafe file.read(into: buffer, at: offset, checkpoint: checkpoint))
        } catch {
            return .failure(Errno(rawValue: number(of: error, table.name(of: inode))))
        }
    }

    func close(_ handle: UInt64) { files.remove(handle) }

    // MARK: Folders

    func openFolder(_ inode: UInt64) -> Result<UInt64, Errno> {
        guard let folder = table.item(inode)?.folder else { return .failure(.notDirectory) }
        do {
            return .success(folders.add(try OpenFolder(folder), inode))
        } catch {
            return .failure(Errno(rawValue: number(of: error, table.name(of: inode))))
        }
    }

    /// Lends entries from a number on, the folder itself and the one above it first.
    /// - Parameter body: gets name, inode, mode and the number of the next entry; false where it does not fit.
    /// - Returns: nil where all is well.
    func list(
        _ handle: UInt64, from number: UInt64, _ body: ([UInt8], UInt64, UInt32, UInt64) -> Bool
    ) -> Errno? {
        guard let (folder, inode) = folders[handle] else { return .badFileDescriptor }
        let dot = UInt8(ascii: ".")
        let directory: UInt32 = 0o040000
        if number < 1, !body([dot], inode, directory, 1) { return nil }
        if number < 2, !body([dot, dot], table.folder(of: inode), directory, 2) { return nil }
        do {
            try folder.forEach(from: max(number, 2) - 2) { entry, place in
                // What the kernel cannot have is left out.
                guard entry.name.count <= valise_fuse_longest_name else {
                    let error = MountError(.unsupported, "name too long for a file system")
                    _ = self.number(of: error, entry.name)
                    return true
                }
                return body(
                    entry.name, FuseInode.number(of: entry.name, in: inode), entry.item.mode, place + 3)
            }
            return nil
        } catch {
            return Errno(rawValue: self.number(of: error, table.name(of: inode)))
        }
    }

    func closeFolder(_ handle: UInt64) { folders.remove(handle) }
}
