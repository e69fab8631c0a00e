import FaultInjection
import Testing
import ValiseFailures

@testable import ValiseContentStore

struct VectorClockTests {
    private func clock(_ value: Any?) throws -> VectorClock {
        VectorClock(try #require(value as? [String: Int]).mapValues { UInt64($0) })
    }

    @Test func `clocks are compared and merged as others do it`() throws {
        let orders: [String: VectorClock.Order] = [
            "equal": .equal, "greater": .greater, "less": .less, "concurrent": .concurrent,
        ]
        let outcomes: [String: ClockOutcome] = [
            "conflict": .conflict, "local_newer": .localNewer, "remote_newer": .remoteNewer,
            "up_to_date": .upToDate,
        ]
        let cases = try StoreFixture.list("vclock", "cases")
        #expect(cases.count == 9)
        for item in cases {
            var (local, remote) = (try clock(item["local"]), try clock(item["remote"]))
            #expect(try local.order(to: remote) == orders[item.required("compare")])
            let isSame = try item.required("local_hash") == item.required("remote_hash")
            let outcome = ClockOutcome(local: local, remote: remote, isSameContent: isSame)
            #expect(try outcome == outcomes[item.required("outcome")])
            let before = remote
            remote.merge(local)
            local.merge(before)
            let merged = try clock(item["merged"])
            #expect(local.order(to: merged) == .equal && remote.order(to: merged) == .equal)
        }
        for item in try StoreFixture.list("vclock", "auto_resolver") {
            let keeps = ClockOutcome.keepsLocal(
                device: try item.required("local_device"), remoteDevice: try item.required("remote_device"))
            #expect(try keeps == (item.required("result") == "keep_local"))
        }
    }

    @Test func `a change is counted, until no number is larger`() {
        var clock = VectorClock(["b": .max - 1])
        clock.tick("a")
        clock.tick("a")
        #expect(clock["a"] == 2 && clock["none"] == 0)
        clock.tick("b")
        clock.tick("b")
        #expect(clock["b"] == .max)
    }

    @Test(arguments: [1, 2, .random(in: 3 ... .max)]) func `the order is one of sets of changes`(seed: UInt64)
    {
        var random = SeededGenerator(seed: seed)
        func clock() -> VectorClock {
            var clock = VectorClock()
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                clock.tick(["a", "b", "c"].randomElement(using: &random) ?? "")
            }
            return clock
        }
        let opposite: [VectorClock.Order: VectorClock.Order] = [
            .less: .greater, .greater: .less, .equal: .equal, .concurrent: .concurrent,
        ]
        for _ in 0..<500 {
            let (first, second) = (clock(), clock())
            #expect(opposite[first.order(to: second)] == second.order(to: first), "\(seed)")
            var both = first
            both.merge(second)
            #expect([.equal, .greater].contains(both.order(to: first)), "\(seed)")
            #expect([.equal, .greater].contains(both.order(to: second)), "\(seed)")
            var later = both
            later.tick("b")
            #expect(later.order(to: first) == .greater && later.order(to: both) == .greater, "\(seed)")
        }
    }

    // MARK: Conflicts

    @Test func `a record of a conflict is read as it was written`() throws {
        let record = ConflictInfo(
            path: "a/b.txt", localClock: VectorClock(["a": 2]), remoteClock: VectorClock(["b": 1]),
            localContent: String(repeating: "1", count: 64), remoteContent: String(repeating: "2", count: 64),
            localDevice: "a", remoteDevice: "b", detected: 7, timesRecorded: 3,
            remoteManifest: "p/manifests/x")
        #expect(try ConflictInfo(parsing: record.encoded()) == record)
        let short = record.encoded().text.replacing(
            #/,\s*"times_recorded": 3|,\s*"remote_manifest_key": "[^"]*"/#, with: "")
        let read = try ConflictInfo(parsing: short.utf8Bytes)
        #expect(read.timesRecorded == 1 && read.remoteManifest == nil)
        #expect(throws: ContentStoreError.self) { try ConflictInfo(parsing: "{}".utf8Bytes) }
    }

    @Test(arguments: [
        ("a/b.txt", "a/b.conflict-d.txt"), ("a", "a.conflict-d"), (".a", ".a.conflict-d"),
        ("a.b/c", "a.b/c.conflict-d"),
        ("a.b/.c", "a.b/.c.conflict-d"), ("a.tar.gz", "a.tar.conflict-d.gz"), ("a/b.", "a/b.conflict-d."),
    ])
    func `the loser has the device in its name`(path: String, copy: String) {
        #expect(ConflictInfo.nameOfCopy(of: path, device: "d") == copy)
    }
}
