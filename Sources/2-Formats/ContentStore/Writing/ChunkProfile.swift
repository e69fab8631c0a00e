import SystemPackage

/// How a file is cut into chunks.
package enum ChunkProfile: Sendable, Hashable {
    /// By the size of the file: few objects, and chunks that a phone can take.
    case own
    /// As tcfs does it by the name of the file: only so are chunks found that it stored. Small chunks for most files.
    case tcfs(ChunkRules)
    case sizes(ChunkSizes)

    /// Larger files have the largest chunks, in bytes.
    private static let manyChunks: Int64 = 8 << 20

    func sizes(for path: FilePath, size: Int64) -> ChunkSizes {
        switch self {
        case .own: size > Self.manyChunks ? .large : .pack
        case .tcfs(let rules): rules.sizes(for: path.string)
        case .sizes(let sizes): sizes
        }
    }
}
