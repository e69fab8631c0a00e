import ValiseEncoding
import ValiseStorage

/// How much of the content of packs a check reads.
package enum ReadShare: Sendable, Hashable {
    /// Only whether everything is there.
    case none
    case all
    /// Part `number`, from 1, of `count` parts: those packs whose first byte leaves that rest. All parts together are all packs.
    case part(Int, of: Int)
    /// So many of a hundred packs, by chance.
    case percent(Double)

    /// - Throws: ``RepositoryError``: `invalid` for a part or a share that there is not.
    func packs(_ all: [ContentID]) throws(RepositoryError) -> [ContentID] {
        switch self {
        case .none: return []
        case .all: return all
        case .part(let number, let count):
            guard (1...256).contains(count), (1...count).contains(number) else {
                throw RepositoryError(.invalid, "no part \(number) of \(Count.text(count, "part")) exists")
            }
            return all.filter { Int($0.prefix >> 56) % count == number - 1 }
        case .percent(let percent):
            guard percent > 0, percent <= 100 else {
                throw RepositoryError(.invalid, "a share is more than 0 and at most 100 percent")
            }
            let count = Int((Double(all.count) * percent / 100).rounded(.up))
            return Array(all.shuffled().prefix(count))
        }
    }
}
