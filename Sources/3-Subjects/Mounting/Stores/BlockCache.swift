import Synchronization
package import SystemPackage
import ValiseFailures
package import ValiseFiles

/// Blocks of files that were fetched, encrypted on disk under a key that is nowhere but in memory: what is left of it when the
/// program is killed can be read by nobody. The least recently used ones go first.
///
/// A block that cannot be written or read back is one that has to be fetched again; ``failure`` says why.
package final class BlockCache: Sendable {
    private struct Stored {
        let block: SealedBlock
        let file: UInt64
        var turn: UInt64
    }

    private struct State {
        var blocks: [BlockKey: Stored] = [:]
        /// Keys by the turns in which they were last used; some were used again since then.
        var turns: [(turn: UInt64, key: BlockKey)] = []
        var taken = 0
        var turn: UInt64 = 0
        /// Of the files.
        var size: Int64 = 0
        var failure: (any Error)?
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let recent = RecentBlocks()
    private let folder: CacheFolder
    private let sealer: BlockSealer
    private let capacity: Int64
    private let fileSystem: FileSystem

    /// What a file takes on disk besides its bytes.
    private static let overhead: Int64 = 4096

    /// Removes what killed programs left in the folder, and makes a folder of its own there.
    ///
    /// - Parameters:
    ///   - parent: is made, with mode 0700, where it is missing.
    ///   - capacity: the most bytes on disk.
    /// - Throws: `FileError`; `SecretsError`.
    package init(in parent: FilePath, capacity: Int64, fileSystem: FileSystem = FileSystem()) throws {
        sealer = try BlockSealer()
        folder = try CacheFolder(in: parent, fileSystem)
        self.capacity = capacity
        self.fileSystem = fileSystem
    }

    /// Where its files are.
    package var path: FilePath { folder.path }

    /// How many bytes its files have.
    package var size: Int64 { state.withLock { $0.size } }

    /// Why a block could not be kept, the last time; nil where that never happened.
    package var failure: (any Error)? { state.withLock { $0.failure } }

    /// Removes all of it. It keeps nothing from here on.
    package func close() {
        state.withLock { state in
            state.hasEnded = true
            state.blocks = [:]
            state.turns = []
            state.size = 0
        }
        recent.removeAll()
        folder.remove()
    }

    // MARK: Blocks

    /// Whether a block is there, as far as it can be read back.
    package func contains(_ key: BlockKey) -> Bool { state.withLock { $0.blocks[key] != nil } }

    /// A block; nil where it has to be fetched.
    package func block(_ key: BlockKey) -> [UInt8]? {
        if let block = recent[key] { return block }
        let found = state.withLock { state -> Stored? in
            guard state.blocks[key] != nil else { return nil }
            Self.use(key, &state)
            return state.blocks[key]
        }
        guard let found else { return nil }
        do {
            let path = folder.file(found.file)
            let bytes = try fileSystem.contents(of: path, limit: found.block.storedSize)
            let block = try sealer.open(bytes, found.block, path)
            recent.add(block, key)
            return block
        } catch {
            // Another thread may have removed it for a younger one, or somebody else did.
            forget(key, found.file, error)
            return nil
        }
    }

    /// Keeps a block.
    package func add(_ block: [UInt8], _ key: BlockKey) {
        recent.add(block, key)
        let cost = Int64(block.count) + Self.overhead
        guard cost <= capacity else { return }
        let (file, surplus) = state.withLock { state -> (UInt64?, [UInt64]) in
            guard !state.hasEnded, state.blocks[key] == nil else { return (nil, []) }
            let surplus = makeSpace(for: cost, &state)
            state.turn += 1
            state.size += cost
            return (state.turn, surplus)
        }
        for file in surplus { try? fileSystem.remove(folder.file(file)) }
        guard let file else { return }
        do {
            let (bytes, sealed) = try sealer.seal(block)
            var output = try fileSystem.create(folder.file(file))
            try output.write(bytes)
            try output.close()
            publish(Stored(block: sealed, file: file, turn: file), key, cost)
        } catch {
            try? fileSystem.remove(folder.file(file))
            state.withLock { state in
                if !state.hasEnded { state.size -= cost }
                state.failure = error
            }
        }
    }

    private func publish(_ stored: Stored, _ key: BlockKey, _ cost: Int64) {
        let isWanted = state.withLock { state in
            // Another thread may have been quicker.
            guard !state.hasEnded, state.blocks[key] == nil else {
                if !state.hasEnded { state.size -= cost }
                return false
            }
            state.blocks[key] = stored
            Self.use(key, &state)
            return true
        }
        if !isWanted { try? fileSystem.remove(folder.file(stored.file)) }
    }

    private func forget(_ key: BlockKey, _ file: UInt64, _ error: any Error) {
        let isRemoved = state.withLock { state in
            guard let stored = state.blocks[key], stored.file == file else { return false }
            state.blocks[key] = nil
            state.size -= Int64(stored.block.size) + Self.overhead
            state.failure = error
            return true
        }
        if isRemoved { try? fileSystem.remove(folder.file(file)) }
    }

    /// - Returns: the files that have to go.
    private func makeSpace(for cost: Int64, _ state: inout State) -> [UInt64] {
        var surplus: [UInt64] = []
        while state.size + cost > capacity, state.taken < state.turns.count {
            let (turn, key) = state.turns[state.taken]
            state.taken += 1
            guard let stored = state.blocks[key], stored.turn == turn else { continue }
            state.blocks[key] = nil
            state.size -= Int64(stored.block.size) + Self.overhead
            surplus.append(stored.file)
        }
        return surplus
    }

    private static func use(_ key: BlockKey, _ state: inout State) {
        state.turn += 1
        state.blocks[key]?.turn = state.turn
        state.turns.append((state.turn, key))
        guard state.turns.count > 2 * state.blocks.count + 1024 else { return }
        state.turns = state.turns[state.taken...].filter { state.blocks[$0.key]?.turn == $0.turn }
        state.taken = 0
    }
}
