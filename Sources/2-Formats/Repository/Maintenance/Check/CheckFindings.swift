import Synchronization
import ValiseStorage

/// Findings as several threads have them, and what they say of blobs.
final class CheckFindings: Sendable {
    private struct State {
        var findings: [CheckFinding] = []
        var counts: [CheckFinding.Kind: Int] = [:]
        /// Places of blobs that cannot be read.
        var bad: BlobMarks
        var damagedPacks: Set<ContentID> = []
        /// Used, and in no index, or unreadable for another reason than their place.
        var lost: Set<CheckFinding.Blob> = []
    }

    private let table: BlobTable
    private let state: Mutex<State>

    /// Of one kind; a broken disk has any number of them.
    private static let mostOfKind = 1000

    init(_ table: BlobTable) {
        self.table = table
        state = Mutex(State(bad: BlobMarks(table)))
    }

    /// Adds a finding, or only counts it.
    func add(_ finding: CheckFinding) {
        state.withLock { state in
            let count = state.counts[finding.kind, default: 0]
            state.counts[finding.kind] = count + 1
            if count < Self.mostOfKind { state.findings.append(finding) }
            if finding.kind.isOfPackContent, case .file(.data, let pack) = finding.file {
                state.damagedPacks.insert(pack)
            }
        }
    }

    /// A blob that is used and cannot be had.
    func lose(_ blob: CheckFinding.Blob, _ finding: CheckFinding) {
        guard state.withLock({ $0.lost.insert(blob).inserted }) else { return }
        add(finding)
    }

    /// A place whose blob cannot be read.
    func spoil(_ positions: some Sequence<BlobPosition>) {
        state.withLock { state in
            for position in positions { state.bad.insert(position) }
        }
    }

    /// The places of a blob in a pack.
    func spoil(_ blob: PackedBlob, in pack: ContentID) {
        spoil(
            table.positions(of: blob.id).filter { position in
                let place = table.location(at: position)
                return place.pack == pack && Int64(place.offset) == blob.offset
            })
    }

    // MARK: Asking

    /// Packs that are stored and not intact.
    var damagedPacks: [ContentID] { state.withLock { $0.damagedPacks }.sorted() }

    /// All of them, and how many are left out.
    var all: (findings: [CheckFinding], omitted: [CheckFinding.Kind: Int]) {
        state.withLock { state in
            let omitted = state.counts.mapValues { $0 - Self.mostOfKind }.filter { $0.value > 0 }
            return (state.findings, omitted)
        }
    }

    /// Whether a blob is lost, for those that were marked until now.
    struct Losses: Sendable {
        fileprivate let table: BlobTable
        fileprivate let bad: BlobMarks
        fileprivate let lost: Set<CheckFinding.Blob>

        var areNone: Bool { bad.count == 0 && lost.isEmpty }

        /// Whether no place has an intact copy.
        func contains(_ id: ContentID, _ kind: BlobKind) -> Bool {
            guard let first = table.position(of: id, kind) else { return true }
            if !lost.isEmpty, lost.contains(CheckFinding.Blob(kind: kind, id: id)) { return true }
            guard bad.contains(first) else { return false }
            return table.positions(of: id)
                .allSatisfy { bad.contains($0) || table.location(at: $0).kind != kind }
        }

        /// The packs that have a blob.
        func packs(of id: ContentID, _ kind: BlobKind) -> [ContentID] {
            table.locations(of: id, kind).map(\.pack)
        }
    }

    var losses: Losses { state.withLock { Losses(table: table, bad: $0.bad, lost: $0.lost) } }
}
