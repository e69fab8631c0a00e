import Synchronization
import ValiseStorage

/// Which blobs snapshots use, a bit each, and which of these are stored more than once.
final class UsedBlobs: Sendable {
    /// All places of one blob.
    typealias Copies = [BlobPosition]

    private struct State {
        /// The first place of each blob that is used.
        var first: BlobMarks
        var copies: [Copies] = []
        var extraBlobs = 0
        var extraBytes: Int64 = 0
    }

    let table: BlobTable
    private let state: Mutex<State>

    /// More are treated as if only the first place counted.
    private static let mostCopies = 1 << 18
    private static let batch = 4096

    /// - Parameter table: settled.
    init(_ table: BlobTable) {
        self.table = table
        state = Mutex(State(first: BlobMarks(table)))
    }

    /// How many blobs are used.
    var count: Int { state.withLock { $0.first.count } }
    /// Further copies of used blobs.
    var extra: (blobs: Int, bytes: Int64) { state.withLock { ($0.extraBlobs, $0.extraBytes) } }

    /// Marks blobs as used.
    /// - Returns: those that no index has.
    func use(_ ids: [ContentID], _ kind: BlobKind) -> [ContentID] {
        var missing: [ContentID] = []
        for start in stride(from: 0, to: ids.count, by: Self.batch) {
            use(ids[start..<min(start + Self.batch, ids.count)], kind, &missing)
        }
        return missing
    }

    private func use(_ ids: ArraySlice<ContentID>, _ kind: BlobKind, _ missing: inout [ContentID]) {
        var found: [(id: ContentID, position: BlobPosition)] = []
        for id in ids {
            if let position = table.position(of: id, kind) {
                found.append((id, position))
            } else {
                missing.append(id)
            }
        }
        let new = state.withLock { state in found.filter { state.first.insert($0.position) } }
        for (id, first) in new {
            let copies = table.positions(of: id).filter { table.location(at: $0).kind == kind }
            guard copies.count > 1 else { continue }
            state.withLock { state in
                state.extraBlobs += copies.count - 1
                state.extraBytes += copies.filter { $0 != first }
                    .reduce(0) { $0 + Int64(table.location(at: $1).length) }
                if state.copies.count < Self.mostCopies {
                    state.copies.append([first] + copies.filter { $0 != first })
                }
            }
        }
    }

    // MARK: Choosing

    /// One place of each used blob: of several, that in the pack which is used most, so that the others become free.
    func chosen() -> BlobMarks {
        let (first, copies) = state.withLock { ($0.first, $0.copies) }
        guard !copies.isEmpty else { return first }
        var undecided = BlobMarks(table)
        for position in copies.joined() { undecided.insert(position) }
        var chosen = BlobMarks(table)
        var shares: [ContentID: Double] = [:]
        for pack in table.packIDs {
            var (used, all): (Int64, Int64) = (0, 0)
            var isAsked = false
            for position in table.positions(inPack: pack) {
                let length = Int64(table.location(at: position).length)
                all += length
                if undecided.contains(position) {
                    isAsked = true
                    used += length
                } else if first.contains(position) {
                    used += length
                    chosen.insert(position)
                }
            }
            if isAsked { shares[pack] = Double(used) / Double(max(1, all)) }
        }
        for places in copies {
            let best = places.max { left, right in
                let packs = (table.location(at: left).pack, table.location(at: right).pack)
                return (shares[packs.0] ?? 0, packs.1) < (shares[packs.1] ?? 0, packs.0)
            }
            if let best { chosen.insert(best) }
        }
        return chosen
    }
}
