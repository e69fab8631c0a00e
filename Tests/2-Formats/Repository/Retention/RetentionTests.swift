import Foundation
import Testing
import ValiseEncoding
import ValiseStorage

@testable import ValiseRepository

struct RetentionTests {
    private static let now = RecordTime(text: "2026-11-27T12:00:00Z")!

    private func candidate(
        _ number: Int, _ time: String, host: String = "alpha", tags: [String] = [], arrival: String? = nil
    ) throws -> RetentionCandidate {
        var record = SnapshotRecord(
            time: try #require(RecordTime(text: time)), tree: RecordFixture.id(0), paths: ["/a"])
        record.hostname = host
        record.tags = tags
        return RetentionCandidate(
            id: RecordFixture.id(number), record,
            arrival: try arrival.map { try #require(RecordTime(text: $0)) })
    }

    private func kept(_ plan: RetentionPlan) -> [RecordTime] {
        plan.groups.flatMap { $0.kept.map(\.snapshot.time) }
    }

    // MARK: As restic

    private func count(_ text: String) throws -> Int {
        text == "unlimited" ? RetentionPolicy.all : try #require(Int(text))
    }

    /// The options of `restic forget`.
    private func policy(_ options: [String]) throws -> RetentionPolicy {
        var policy = RetentionPolicy()
        for (option, value) in zip(options, options.dropFirst()) where option.hasPrefix("--keep-") {
            let name = option.dropFirst("--keep-".count)
            if name == "last" {
                policy.last = try count(value)
            } else if name == "within" {
                policy.within = try #require(RetentionSpan(text: value))
            } else if name == "tag" {
                policy.tags.append(value.split(separator: ",").map(String.init))
            } else if name.hasPrefix("within-") {
                let period = try #require(
                    RetentionPolicy.Period(rawValue: String(name.dropFirst("within-".count))))
                let span = try #require(RetentionSpan(text: value))
                policy.periodsWithin[period] = span
            } else {
                let period = try #require(RetentionPolicy.Period(rawValue: String(name)))
                policy.counts[period] = try count(value)
            }
        }
        return policy
    }

    private func words(_ reason: RetentionPlan.Reason) -> String {
        switch reason {
        case .last: "last snapshot"
        case .period(let period): "\(period.rawValue) snapshot"
        case .oldest(let period): "oldest \(period?.rawValue ?? "last") snapshot"
        case .within(let span): "within \(span.text)"
        case .periodWithin(let period, let span): "\(period.rawValue) within \(span.text)"
        case .oldestWithin(let period, let span): "oldest \(period.rawValue) within \(span.text)"
        case .tags(let tags): "has tags [\(tags.joined(separator: ", "))]"
        case .incomplete, .recent, .suspicious: "\(reason)"
        }
    }

    @Test func `restic keeps the same for the same reasons`() throws {
        let fixture = try RecordFixture.json("forget.json")
        let now = try #require((fixture["now"] as? String).flatMap(RecordTime.init(text:)))
        let list = try #require(fixture["snapshots"] as? [[String: Any]])
        let snapshots = try list.enumerated().map { place, snapshot in
            var record = SnapshotRecord(
                time: try #require((snapshot["time"] as? String).flatMap(RecordTime.init(text:))),
                tree: RecordFixture.id(0), paths: try #require(snapshot["paths"] as? [String]))
            record.hostname = try #require(snapshot["hostname"] as? String)
            record.tags = snapshot["tags"] as? [String] ?? []
            return RetentionCandidate(id: RecordFixture.id(place), record)
        }
        let places = Dictionary(uniqueKeysWithValues: snapshots.enumerated().map { ($1.id, $0) })
        let policies = try #require(fixture["policies"] as? [[String: Any]])
        #expect(policies.count == 23)
        for entry in policies {
            let options = try #require(entry["options"] as? [String])
            let plan = try Retention.plan(snapshots.shuffled(), policy(options), now: now)
            let groups = try #require(entry["groups"] as? [[String: Any]])
            #expect(plan.groups.count == groups.count)
            for group in plan.groups {
                let other = try #require(
                    groups.first {
                        $0["host"] as? String == group.hostname && $0["paths"] as? [String] == group.paths
                    })
                #expect(
                    group.kept.compactMap { places[$0.snapshot.id] } == other["keep"] as? [Int], "\(options)")
                #expect(
                    group.forgotten.compactMap { places[$0.id] } == other["remove"] as? [Int], "\(options)")
                #expect(
                    group.kept.map { $0.reasons.map(words) } == other["reasons"] as? [[String]], "\(options)")
            }
        }
    }

    @Test func `a policy that keeps nothing is refused`() throws {
        var policy = RetentionPolicy()
        let snapshots = [try candidate(1, "2026-11-20T10:00:00Z")]
        func isRefused() -> Bool { (try? Retention.plan(snapshots, policy, now: Self.now)) == nil }
        #expect(isRefused())
        policy.tags = [[]]
        policy.counts = [.daily: 0]
        policy.completeDays = 5
        #expect(isRefused())
        policy.counts = [.daily: 1]
        #expect(!isRefused())
        policy = RetentionPolicy()
        policy.tags = [["gone"]]
        #expect(try Retention.plan(snapshots, policy, now: Self.now).emptiesGroup)
    }

    @Test func `all are kept where a count is all`() throws {
        var policy = RetentionPolicy()
        policy.counts = [.daily: RetentionPolicy.all]
        let snapshots = try (1...28).flatMap {
            [
                try candidate($0, "2026-10-\($0 < 10 ? "0" : "")\($0)T10:00:00Z"),
                try candidate($0 + 100, "2026-10-\($0 < 10 ? "0" : "")\($0)T09:00:00Z"),
            ]
        }
        let plan = try Retention.plan(snapshots, policy, now: Self.now)
        // The newest one of each day, and the oldest one of all.
        #expect(kept(plan).count == 29)
    }

    @Test func `no snapshot is in no list, or in both`() throws {
        var policy = RetentionPolicy()
        policy.last = 2
        policy.incompleteTag = "partial"
        let snapshots = try (0..<50).map {
            try candidate(
                $0, "2026-10-1\($0 % 10)T1\($0 / 10):00:00Z", host: "h\($0 % 3)",
                tags: $0 % 7 == 0 ? ["partial"] : [])
        }
        let plan = try Retention.plan(snapshots, policy, now: Self.now)
        let all = plan.groups.flatMap { $0.kept.map(\.snapshot.id) + $0.forgotten.map(\.id) }
        #expect(all.count == 50 && Set(all).count == 50 && plan.groups.count == 3)
    }

    // MARK: Beyond restic

    @Test func `incomplete snapshots take no place, and are kept until a complete one is newer`() throws {
        var policy = RetentionPolicy()
        policy.last = 2
        policy.incompleteTag = "partial"
        let snapshots = try [
            candidate(1, "2026-11-20T10:00:00Z"), candidate(2, "2026-11-21T10:00:00Z"),
            candidate(3, "2026-11-22T10:00:00Z", tags: ["partial"]), candidate(4, "2026-11-23T10:00:00Z"),
            candidate(5, "2026-11-24T10:00:00Z", tags: ["partial"]),
            candidate(6, "2026-11-25T10:00:00Z", tags: ["partial"]),
        ]
        let group = try #require(try Retention.plan(snapshots, policy, now: Self.now).groups.first)
        #expect(group.kept.map(\.snapshot.id) == [6, 5, 4, 2].map(RecordFixture.id))
        #expect(group.kept.map(\.reasons) == [[.incomplete], [.incomplete], [.last], [.last]])
        #expect(group.forgotten.map(\.id) == [3, 1].map(RecordFixture.id))
        // Without the tag they are as all others.
        policy.incompleteTag = nil
        #expect(try kept(Retention.plan(snapshots, policy, now: Self.now)).count == 2)
        #expect(
            try Retention.plan(snapshots, policy, now: Self.now).groups[0].kept[0].snapshot.id
                == RecordFixture.id(6))
    }

    /// Somebody who may only add snapshots adds some with times that would make the rules forget the others.
    @Test func `snapshots with false times make no others go`() throws {
        var policy = RetentionPolicy()
        policy.counts = [.daily: 3]
        let good = try (20...24).map {
            try candidate($0, "2026-11-\($0)T10:00:00Z", arrival: "2026-11-\($0)T10:05:00Z")
        }
        let bad = try [
            candidate(1, "2027-11-25T10:00:00Z", arrival: "2026-11-25T10:00:00Z"),
            candidate(2, "2027-11-26T10:00:00Z", arrival: "2026-11-25T10:00:01Z"),
            candidate(3, "2020-11-26T10:00:00Z", arrival: "2026-11-25T10:00:02Z"),
            candidate(4, "2027-11-28T10:00:00Z", arrival: "2026-11-25T10:00:03Z"),
        ]
        let group = try #require(try Retention.plan(good + bad, policy, now: Self.now).groups.first)
        let reasons = Dictionary(uniqueKeysWithValues: group.kept.map { ($0.snapshot.id, $0.reasons) })
        for number in [1, 2, 3, 4] { #expect(reasons[RecordFixture.id(number)] == [.suspicious]) }
        for number in [22, 23, 24] { #expect(reasons[RecordFixture.id(number)] == [.period(.daily)]) }
        #expect(group.forgotten.map(\.id) == [21, 20].map(RecordFixture.id))
    }

    @Test func `many snapshots of one day take the place of one`() throws {
        var policy = RetentionPolicy()
        policy.counts = [.daily: 3]
        policy.last = 1
        let good = try (20...24).map {
            try candidate($0, "2026-11-\($0)T10:00:00Z", arrival: "2026-11-\($0)T10:05:00Z")
        }
        let more = try (10...59).map {
            try candidate(100 + $0, "2026-11-26T10:00:\($0)Z", arrival: "2026-11-26T10:00:\($0)Z")
        }
        var found = try kept(Retention.plan(good + more, policy, now: Self.now)).map(\.text)
        #expect(found == ["2026-11-26T10:00:59Z", "2026-11-24T10:00:00Z", "2026-11-23T10:00:00Z"])
        policy.completeDays = 5
        found = try kept(Retention.plan(good + more, policy, now: Self.now)).map(\.text)
        #expect(found.count == 50 + 2)
    }

    // MARK: Durations

    @Test(arguments: [
        ("6y5m234d37h", 6, 5, 234, 37), ("1d", 0, 0, 1, 0), ("3h2y", 2, 0, 0, 3), ("0d", 0, 0, 0, 0),
    ])
    func `durations are read`(text: String, years: Int, months: Int, days: Int, hours: Int) throws {
        let span = try #require(RetentionSpan(text: text))
        #expect(span == RetentionSpan(years: years, months: months, days: days, hours: hours))
        #expect(span.isZero == (text == "0d"))
        if !span.isZero { #expect(RetentionSpan(text: span.text) == span) }
    }

    @Test(arguments: ["", "5", "d", "1w", "-1d", "1d2", "1d1d", "1.5d", "99999999d", "1 d", "1D", "٣d"])
    func `what is no duration is refused`(text: String) { #expect(RetentionSpan(text: text) == nil) }

    @Test(arguments: [
        ("2026-03-31T10:00:00Z", "1m", "2026-03-03T10:00:00Z"),
        ("2024-02-29T10:00:00Z", "1y", "2023-03-01T10:00:00Z"),
        ("2026-01-15T10:00:00Z", "1m", "2025-12-15T10:00:00Z"),
        ("2026-01-15T10:00:00Z", "13m", "2024-12-15T10:00:00Z"),
        ("2026-12-15T10:00:00Z", "12m", "2025-12-15T10:00:00Z"),
        ("2026-01-15T10:00:00Z", "25h", "2026-01-14T09:00:00Z"),
        ("2026-01-01T00:30:00.5+01:00", "1d", "2025-12-31T00:30:00.5+01:00"),
        ("2026-01-01T00:30:00+01:00", "1m", "2025-12-01T00:30:00+01:00"),
        ("2026-05-10T10:00:00Z", "1y2m3d4h", "2025-03-07T06:00:00Z"),
    ])
    func `a duration goes back by the calendar`(time: String, span: String, expected: String) throws {
        let moment = try #require(RetentionSpan(text: span)).before(try #require(RecordTime(text: time)))
        #expect(moment == RecordTime(text: expected)?.utc)
    }

    @Test func `a duration longer than the calendar reaches everything`() {
        #expect(RetentionSpan(years: 1_000_000).before(Self.now).seconds < RecordTime(seconds: .min).seconds)
        #expect(RetentionSpan(months: 1_000_000).before(Self.now).seconds < RecordTime(seconds: .min).seconds)
    }

    @Test(arguments: [
        ("2020-12-31T23:30:00Z", "2021-01-01T00:30:00Z", [RetentionPolicy.Period.weekly]),
        ("2021-01-03T23:59:59Z", "2021-01-04T00:00:00Z", [.monthly, .yearly]),
        ("2024-12-30T01:00:00Z", "2025-01-01T01:00:00Z", [.weekly]),
        ("2026-11-20T10:00:00Z", "2026-11-20T10:59:59Z", [.hourly, .daily, .weekly, .monthly, .yearly]),
        (
            "2026-11-20T23:30:00-05:00", "2026-11-20T23:30:00+05:00",
            [.hourly, .daily, .weekly, .monthly, .yearly]
        ),
        ("1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z", [.weekly]),
    ])
    func `periods are those of the calendar`(one: String, other: String, same: [RetentionPolicy.Period])
        throws
    {
        let (one, other) = (try #require(RecordTime(text: one)), try #require(RecordTime(text: other)))
        #expect(RetentionPolicy.Period.allCases.filter { $0.number(of: one) == $0.number(of: other) } == same)
    }
}
