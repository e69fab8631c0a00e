import Synchronization
import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseRepository
import ValiseStorage

/// Writes media and all else that is no database.
struct MediaRestore {
    let items: [RestoreItem]
    /// Where each of them goes.
    private let paths: [FilePath]
    private let repository: Repository
    private let fileSystem: FileSystem

    init(
        _ items: [RestoreItem], _ repository: Repository, _ target: RestoreTarget,
        _ fileSystem: FileSystem
    ) {
        let placed = items.compactMap { item in target.path(of: item.name).map { (item, $0) } }
        self.items = placed.map(\.0)
        paths = placed.map(\.1)
        self.repository = repository
        self.fileSystem = fileSystem
    }

    /// A piece of a file.
    private struct Piece {
        let item: Int
        let start: Int64
    }

    /// Restores all of them. Nothing is flushed.
    ///
    /// - Parameters:
    ///   - skipsDamaged: whether files that cannot be read are left out.
    ///   - progress: gets the number of bytes done; throw to stop.
    /// - Returns: the files that are left out.
    /// - Throws: `RepositoryError`; `StorageError`; `FileError`; ``BackupError``; whatever `progress` throws.
    func run(skipsDamaged: Bool, progress: (Int64) throws -> Void) throws -> [EntryFailure] {
        for folder in Set(paths.map(\.parentFolder)) { try makeFolder(folder) }
        do {
            try restore(Array(items.indices), progress)
            return []
        } catch  where skipsDamaged && Self.isDamage(error) {
            // All of them once more, one by one.
            for path in paths where try fileSystem.exists(path) { try fileSystem.remove(path) }
            return try restoreIntact(progress)
        }
    }

    /// Whether the repository has lost or damaged what was to be read.
    private static func isDamage(_ error: any Error) -> Bool {
        switch error {
        case let error as RepositoryError: [.damaged, .missing].contains(error.kind)
        case let error as BackupError: error.code == .damaged
        case let error as StorageError: [.damaged, .notFound].contains(error.code)
        default: false
        }
    }

    private func restoreIntact(_ progress: (Int64) throws -> Void) throws -> [EntryFailure] {
        var problems: [EntryFailure] = []
        var done: Int64 = 0
        for number in items.indices {
            do {
                try restore([number]) { try progress(done + $0) }
            } catch let error as any Failure where Self.isDamage(error) {
                try leaveOut(number, Remark(error.message), &problems)
            }
            done += items[number].size
        }
        return problems
    }

    private func leaveOut(_ number: Int, _ reason: Remark, _ problems: inout [EntryFailure]) throws {
        problems.append(EntryFailure(items[number].name, reason))
        let path = paths[number]
        if try fileSystem.exists(path) { try fileSystem.remove(path) }
    }

    private func makeFolder(_ folder: FilePath) throws(FileError) {
        if try fileSystem.isDirectory(folder) { return }
        try makeFolder(folder.parentFolder)
        try fileSystem.makeDirectory(folder)
    }

    /// Reads the pieces of all of them in the order of the packs.
    private func restore(_ numbers: [Int], _ progress: (Int64) throws -> Void) throws {
        var pieces: [Piece] = []
        var ids: [ContentID] = []
        for number in numbers {
            let item = items[number]
            let offsets = try BlobOffsets(item.content, in: repository)
            guard offsets.size == item.size else {
                throw BackupError(.damaged, "the size in the snapshot is not that of the content", item.name)
            }
            // Files of one piece are made when it comes.
            if item.content.count != 1 { try fileSystem.create(paths[number]).close() }
            for (place, id) in item.content.enumerated() {
                pieces.append(Piece(item: number, start: offsets.start(of: place)))
                ids.append(id)
            }
        }
        let done = Atomic<Int64>(0)
        try BlobReader(repository).read(ids, .data) { _, _ in
            try progress(done.load(ordering: .relaxed))
        } _: { [pieces] number, content in
            try write(content, pieces[number])
            done.add(Int64(content.count), ordering: .relaxed)
        }
        for number in numbers where items[number].content.count != 1 {
            try setTime(items[number], of: fileSystem.openForUpdating(paths[number]))
        }
    }

    private func write(_ content: [UInt8], _ piece: Piece) throws {
        let item = items[piece.item]
        let isWhole = item.content.count == 1
        let path = paths[piece.item]
        let file = try isWhole ? fileSystem.create(path) : fileSystem.openForUpdating(path)
        try unsafe content.withUnsafeBytes { try unsafe file.write($0, at: piece.start) }
        if isWhole { try setTime(item, of: file) } else { try file.close() }
    }

    private func setTime(_ item: RestoreItem, of file: consuming OpenFile) throws(FileError) {
        let modified = item.node.modified
        if modified != TreeNode.noTime {
            do throws(FileError) {
                try file.setModificationTime(modified.seconds, nanoseconds: Int64(modified.nanoseconds))
            } catch  where error.errno == .invalidArgument {
                // Some file systems take none from before 1970 or after 2106.
            }
        }
        try file.close()
    }
}
