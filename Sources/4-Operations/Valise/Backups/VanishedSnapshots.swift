import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseRepository
import ValiseStorage

/// Which of the snapshots that this user has seen are gone.
///
/// Whoever can write to a storage can remove snapshots, or put an old copy of it in place, and a repository by itself cannot tell.
struct VanishedSnapshots {
    /// In hexadecimal digits, sorted.
    private(set) var names: [String] = []
    /// All that are there, those that cannot be read too.
    private var present: Set<String>

    /// - Parameters:
    ///   - snapshots: those that were read.
    ///   - memory: what is remembered; nil for a repository that is new here.
    /// - Throws: `StorageError`.
    init(_ repository: Repository, _ snapshots: [StoredSnapshot], comparedWith memory: RepositoryMemory?)
        throws
    {
        present = Set(snapshots.map(\.id.text))
        guard let memory, !memory.snapshots.isSubset(of: present) else { return }
        // One that cannot be read is damaged, which is told elsewhere, and not gone.
        present.formUnion(try repository.store.list(.snapshots).map(\.id.text))
        // Whoever changed tags replaced it.
        let replaced = snapshots.compactMap(\.record.original?.text)
        names = memory.snapshots.subtracting(present).subtracting(replaced).sorted()
    }

    /// Remembers what is there and what is gone.
    func write(to memory: inout RepositoryMemory, at time: Int64) {
        for name in names where memory.vanished[name] == nil { memory.vanished[name] = time }
        // A storage that was down may be back with all it had.
        for name in memory.vanished.keys where present.contains(name) { memory.vanished[name] = nil }
        memory.snapshots = present
    }
}

extension OpenedRepository {
    /// Compares with what is remembered of the repository, warns of snapshots that vanished, and remembers those that are there.
    /// - Returns: those that vanished, in hexadecimal digits.
    /// - Throws: `StorageError`.
    func noteVanished(_ place: RepositoryPlace, in context: OperationContext) throws -> [String] {
        let id = repository.config.id
        let memories = RepositoryMemories(context.folders)
        do {
            let vanished = try VanishedSnapshots(
                repository, snapshots, comparedWith: memories.memory(of: id))
            if !vanished.names.isEmpty {
                context.note(RepositoryNote.vanished(vanished.names.map { String($0.prefix(8)) }))
            }
            try memories.update(id, at: place) { vanished.write(to: &$0, at: UTCTime.now.seconds) }
            return vanished.names
        } catch let error as FileError {
            // What was asked for is possible all the same.
            context.note(RepositoryNote.notRemembered(error))
            return []
        }
    }
}
