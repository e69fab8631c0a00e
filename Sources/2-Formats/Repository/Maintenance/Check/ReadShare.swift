import ValiseEncoding
import ValiseStorage

/// How much of the content of packs a check reads.
package enum ReadShare: Sendable, Hashable {
    /// Only whether everything is there.
    case none
    case all
    /// Part `number`, from 1, of `count` parts: those packs whose first byte leaves that rest. All parts together are all packs.
    case part(Int, of: Int)
    /// Several of these parts.
    case parts(Set<Int>, of: Int)
    /// So many of a hundred packs, by chance.
    case percent(Double)
    /// About so many bytes of packs, by chance; one pack at least.
    case bytes(Int64)

    /// - Parameters:
    ///   - all: packs to choose from.
    ///   - size: of a pack.
    /// - Throws: ``RepositoryError``: `invalid` for a part or a share that there is not.
    func packs(_ all: [ContentID], size: (ContentID) -> Int64) throws(RepositoryError) -> [ContentID] {
        switch self {
        case .none: return []
        case .all: return all
        case .part(let number, let count): return try Self.packs(all, [number], of: count)
        case .parts(let numbers, let count): return try Self.packs(all, numbers, of: count)
        case .percent(let percent):
            guard percent > 0, percent <= 100 else {
                throw RepositoryError(.invalid, "a share is more than 0 and at most 100 percent")
            }
            let count = Int((Double(all.count) * percent / 100).rounded(.up))
            return Array(all.shuffled().prefix(count))
        case .bytes(let bytes):
            guard bytes > 0 else {
                throw RepositoryError(.invalid, "a share is more than 0 bytes")
            }
            var rest = bytes
            return all.shuffled().prefix { pack in
                defer { rest -= min(rest, size(pack)) }
                return rest > 0
            }
        }
    }

    private static func packs(
        _ all: [ContentID], _ numbers: Set<Int>, of count: Int
    ) throws(RepositoryError) -> [ContentID] {
        let parts = 1...max(1, count)
        if let number = numbers.first(where: { count > mostParts || !parts.contains($0) }) {
            throw RepositoryError(.invalid, "no part \(number) of \(Count.text(count, "part")) exists")
        }
        return all.filter { numbers.contains(Int($0.prefix >> 56) % count + 1) }
    }

    /// Each value of the first byte is in one part.
    package static let mostParts = 256
}
