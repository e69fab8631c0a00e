import FaultInjection
import Testing
import ValiseStorage

@testable import ValiseRepository

struct SnapshotRecordTests {
    @Test(arguments: ["v1", "v2"]) func `snapshots of restic are written as they were`(version: String) throws
    {
        let snapshots = try RecordFixture.records(version, "snapshots")
        #expect(snapshots.count == 2)
        for (id, json) in snapshots {
            let record = try SnapshotRecord(json)
            #expect(record.json == json, "\(id)")
            #expect(!record.hasUnknownFields)
            #expect(record.hostname == "alpha" && record.paths == ["/valise-sample/account"])
        }
    }

    @Test func `a changed snapshot names the first one, and has its summary`() throws {
        let all = try RecordFixture.records("v2", "snapshots").map { try SnapshotRecord($0.json) }
        let changed = try #require(all.first { $0.original != nil })
        #expect(changed.tags == ["second", "later"] && changed.excludes == ["*.skip"])
        #expect(changed.program == "restic 0.18.0")
        #expect(changed.summary?[.newFiles] == 1 && changed.summary?[.unchangedFiles] == 12)
        let first = try #require(all.first { $0.original == nil })
        #expect(changed.parent?.text == "f5b4e509bf0bb8b8cc5fdf8ba16d937d136adc2af8cd12712f2c70fb27fddda0")
        #expect(first.summary?[.bytes] == 1_042_512 && first.summary?[.addedPacked] == 910_564)
    }

    @Test func `fields of rustic are passed over`() throws {
        let tree = RecordFixture.id(1).text
        let record = try SnapshotRecord(
            """
            {"time":"2026-01-02T03:04:05.678+01:00","program_version":"rustic 0.9","tree":"\(tree)","label":"x",
            "paths":["/a","/b"],"parents":["\(tree)"],"delete":{"After":"2027-01-01T00:00:00Z"},"description":null,
            "summary":{"files_new":3,"command":"rustic","backup_duration":1.25e0,"data_added":18446744073709551615}}
            """.json)
        #expect(record.hasUnknownFields)
        #expect(record.paths == ["/a", "/b"] && record.time.text == "2026-01-02T03:04:05.678+01:00")
        #expect(record.summary?[.newFiles] == 3 && record.summary?[.added] == .max)
        #expect(record.summary?[.dataBlobs] == 0)
    }

    @Test func `what Valise writes comes back`() throws {
        var record = SnapshotRecord(
            time: RecordTime(seconds: 1_795_000_000, nanoseconds: 5, offset: 7200), tree: RecordFixture.id(2),
            paths: ["/home/<user>"])
        #expect(try SnapshotRecord(record.json) == record)
        record.parent = RecordFixture.id(3)
        (record.userID, record.groupID) = (1000, 1001)
        (record.tags, record.original) = (["partial"], RecordFixture.id(4))
        record.summary = SnapshotSummary(start: record.time, end: record.time)
        record.summary?[.treeBlobs] = 12
        #expect(try SnapshotRecord(record.json) == record)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"time":"2026-01-02T03:04:05Z","paths":[]}"#,
        #"{"time":"x","tree":"\#(RecordFixture.id(1).text)","paths":[]}"#,
        #"{"time":null,"tree":"\#(RecordFixture.id(1).text)","paths":[]}"#,
        #"{"time":"2026-01-02T03:04:05Z","tree":"00","paths":[]}"#,
        #"{"time":"2026-01-02T03:04:05Z","tree":"\#(RecordFixture.id(1).text)","paths":[1]}"#,
        #"{"time":"2026-01-02T03:04:05Z","tree":"\#(RecordFixture.id(1).text)","paths":[]}}"#,
    ])
    func `what is no snapshot is damage`(text: String) {
        #expect(throws: RepositoryError.self) { try SnapshotRecord(text.json) }
    }

    @Test func `a snapshot that is cut off at any byte is damage`() throws {
        for (_, json) in try RecordFixture.records("v2", "snapshots") {
            for length in 0..<json.count {
                #expect(throws: RepositoryError.self) { try SnapshotRecord(Array(json[..<length])) }
            }
        }
    }
}
