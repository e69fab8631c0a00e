package import ValiseStorage

/// All blobs of a repository: for each identifier its pack and its place there.
///
/// About 20 bytes a blob with everything, so that ten million take 200 MB: 17 in ``SortedBlobs``, and some three in
/// ``BlobLengths``. A dictionary of values takes more than a hundred.
///
/// **Sixteen bytes of an identifier are kept, not 32.** Whoever reads a blob compares the digest of what came with the full
/// identifier that it asked for, so a wrong answer of the table is an error and never a wrong content. What is left is a backup
/// that believes that a blob is stored already. By accident that is a chance of 10^-25 in ten million blobs. On purpose it
/// needs two contents of the same 128 bits, 2^64 digests, and then one content of the attacker stands for another of the same
/// attacker: to hit a content of somebody else takes 2^128. Where the full identifiers matter (a pack is copied, an index is
/// written again), they are in the headers of packs and in the index files, which are read anyway.
///
/// New blobs wait in a sorted list, which is merged into the others when it is long.
package struct BlobTable: Sendable {
    private(set) var sorted = SortedBlobs()
    /// Sorted up to ``settledCount``.
    private(set) var waiting: [BlobEntry] = []
    private(set) var settledCount = 0
    private(set) var lengths = BlobLengths()
    private(set) var numbers = PackNumbers()
    /// By the numbers of the packs; no blobs where a pack was removed.
    private(set) var packs: [Pack] = []
    /// Blobs, each as often as it is in packs.
    package private(set) var count = 0
    /// Packs.
    package private(set) var packCount = 0

    /// The positions of a pack.
    struct Pack {
        let first: UInt32
        var count: UInt32
    }

    private static let mostWaiting = 262_144
    private static let fewestWaiting = 4096

    package init() {}

    /// Memory that is taken, without that of the allocator.
    package var byteCount: Int {
        sorted.byteCount + waiting.capacity * MemoryLayout<BlobEntry>.stride + lengths.byteCount
            + numbers.byteCount
            + packs.capacity * MemoryLayout<Pack>.stride
    }

    /// Adds a pack with its blobs.
    ///
    /// - Parameters:
    ///   - pack: in any order of its blobs. Marks are for the caller: what is here is used.
    ///   - settles: false for who adds many before the next question and then calls ``settle()``; until then each question
    ///     goes through all of those blobs.
    /// - Returns: false where the pack is there already, in another index file; nothing is added then.
    /// - Throws: ``RepositoryError`` where there are too many blobs for any table.
    @discardableResult
    package mutating func add(_ pack: IndexedPack, settles: Bool = true) throws(RepositoryError) -> Bool {
        guard numbers.number(of: pack.id) == nil else { return false }
        let blobs = Self.isSorted(pack.blobs) ? pack.blobs : pack.blobs.sorted { $0.offset < $1.offset }
        let first = try lengths.append(blobs, pack: packs.count)
        _ = numbers.append(pack.id)
        packs.append(Pack(first: first, count: UInt32(truncatingIfNeeded: blobs.count)))
        packCount += 1
        count += blobs.count
        if waiting.capacity < waiting.count + blobs.count {
            // Once: an array that grows is there twice for a moment.
            let isLong = waiting.count > Self.mostWaiting / 8
            waiting.reserveCapacity((isLong ? Self.mostWaiting : waiting.count * 5 / 4) + blobs.count)
        }
        for (place, blob) in blobs.enumerated() {
            let (high, low, _, _) = blob.id.words
            waiting.append(
                BlobEntry(high: high, low: low, position: first + UInt32(truncatingIfNeeded: place)))
        }
        if waiting.count >= Self.mostWaiting {
            // More of them come, for which the same memory serves.
            merge(keepingMemory: !settles)
        } else if settles {
            settle()
        }
        return true
    }

    private static func isSorted(_ blobs: [IndexedBlob]) -> Bool {
        zip(blobs, blobs.dropFirst()).allSatisfy { $0.offset < $1.offset }
    }

    /// Sorts what was added, and merges it where it is much.
    package mutating func settle() {
        if waiting.isEmpty { waiting = [] }
        if waiting.count >= min(Self.mostWaiting, max(Self.fewestWaiting, count / 8)) { return merge() }
        guard settledCount < waiting.count else { return }
        waiting.sort()
        settledCount = waiting.count
    }

    private mutating func merge(keepingMemory: Bool = false) {
        waiting.sort()
        sorted.merge(waiting)
        waiting.removeAll(keepingCapacity: keepingMemory)
        settledCount = 0
    }

    /// Removes packs with all of their blobs. Those that are not there are ignored.
    package mutating func remove(_ ids: some Sequence<ContentID>) {
        var removed: Set<Int> = []
        for id in ids {
            if let number = numbers.number(of: id) { removed.insert(number) }
        }
        guard !removed.isEmpty else { return }
        let lengths = lengths
        let isKept = { (position: UInt32) in !removed.contains(lengths.pack(at: position)) }
        sorted.filter(isKept)
        waiting.removeAll { !isKept($0.position) }
        waiting.sort()
        settledCount = waiting.count
        for number in removed {
            count -= Int(packs[number].count)
            packCount -= 1
            packs[number].count = 0
        }
        numbers.remove(removed)
    }
}
