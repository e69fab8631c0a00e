import FaultInjection
import StoreContract
import Testing
import ValiseRepository
import ValiseStorage

import class ValiseRepository.Repository

/// Backups, removals and prunes in any order, each of which may be killed at any call: no snapshot ever loses anything.
struct RandomRunsTests {
    private typealias Fixture = RepositoryFixture

    private var random = SeededGenerator(seed: CryptoFixture.seed("random runs"))

    @Test mutating func `nothing that a snapshot names is ever gone`() throws {
        for _ in 0..<(CryptoFixture.isSoak ? 40 : 4) {
            var stored = try StoredRepository()
            var files: Fixture.Files = ["chat.db": Fixture.bytes(20_000, &random)]
            var known: [ContentID: Fixture.Files] = [:]
            for step in 0..<25 {
                let faults: [FaultyStore.Fault] = [.none, .crash, .crashAfterwards]
                let fault = try #require(faults.randomElement(using: &random))
                let faulty = FaultyStore(stored.store, fault, at: Int.random(in: 4...60, using: &random))
                let what = Int.random(in: 0..<5, using: &random)
                do {
                    switch what {
                    case 0...2: try backUp(&files, Int64(step), faulty, &stored)
                    case 3: try forget(faulty, &stored)
                    default: try prune(faulty)
                    }
                } catch {}
                // What was killed behind its last call has done its work.
                for id in try stored.names(.snapshots) where stored.snapshots[id] == nil {
                    // One that was to be forgotten, or the new one.
                    stored.snapshots[id] = known[id] ?? files
                    stored.order.append(id)
                }
                known.merge(stored.snapshots) { $1 }
                try Fixture.expectIntact(stored.store, stored.snapshots, "step \(step): \(what), \(fault)")
            }
        }
    }

    private mutating func backUp(
        _ files: inout Fixture.Files, _ day: Int64, _ store: FaultyStore, _ stored: inout StoredRepository
    ) throws {
        let place = Int.random(in: 0..<19_000, using: &random)
        files["chat.db"]?.replaceSubrange(place..<place + 500, with: Fixture.bytes(500, &random))
        files["files/\(Int.random(in: 0..<6, using: &random))"] = Fixture.bytes(
            Int.random(in: 0...9000, using: &random), &random)
        try Fixture.backUp(files, to: Fixture.open(store), day: day)
    }

    private mutating func forget(_ store: FaultyStore, _ stored: inout StoredRepository) throws {
        guard let id = stored.order.randomElement(using: &random) else { return }
        // Whether it is removed, nobody knows who was killed.
        stored.snapshots[id] = nil
        stored.order.removeAll { $0 == id }
        _ = try Fixture.locked(store) { try SnapshotRemoval.run([id], from: $0, under: $1) }
    }

    private mutating func prune(_ store: FaultyStore) throws {
        var rules = PruneRules()
        rules.tolerated = Bool.random(using: &random) ? .bytes(0) : .percent(5)
        _ = try Fixture.locked(store) { try PrunePlan.make(for: $0, rules).run(under: $1) }
    }
}
