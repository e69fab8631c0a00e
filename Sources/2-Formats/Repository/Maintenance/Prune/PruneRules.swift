package import ValiseStorage

/// How thoroughly a repository is pruned.
package struct PruneRules: Sendable {
    /// How much that no snapshot uses may stay, in packs that are used otherwise.
    package enum Tolerance: Sendable, Hashable {
        /// So many percent of what is in the repository afterwards.
        case percent(Double)
        case bytes(Int64)
        /// All: only packs without any use are removed.
        case unlimited
    }

    /// What stays.
    package var tolerated = Tolerance.percent(5)
    /// No more bytes of packs are written again; nil for any number.
    package var mostRepacked: Int64?
    /// Whether small packs are joined where they are many.
    package var joinsSmallPacks = true
    /// Whether a pack of this name and size that no index names is removed. One who knows how long it has been there spares what
    /// a killed run may take up again, and what programs that take no locks are uploading.
    package var removesUnindexed: @Sendable (ContentID, Int64) -> Bool = { _, _ in true }

    /// What has fewer bytes is a small pack.
    static let smallPack = Int64(PackBuilder.targetSize / 4)
    /// Fewer small packs stay.
    static let manySmallPacks = 10

    package init() {}

    /// - Parameter used: bytes that are used.
    /// - Returns: how many unused bytes may stay.
    func tolerance(_ used: Int64) -> Int64 {
        switch tolerated {
        case .bytes(let bytes): max(0, bytes)
        case .percent(let percent) where percent < 100:
            Int64(min(Double(used) * max(0, percent) / (100 - max(0, percent)), 0x1p62))
        case .percent, .unlimited: .max
        }
    }
}
