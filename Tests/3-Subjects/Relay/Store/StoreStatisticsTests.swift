import FaultInjection
import Testing
import ValiseFiles
import ValiseXFTPWire

@testable import ValiseRelay

/// Counters and what is written of them (XFTP fact sheet, §9.8).
struct StoreStatisticsTests {
    private static let day: Int64 = 86_400

    @Test func `everything counts, distinct downloads once a day, a week and a month`() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let chunk = try store.send(1, recipients: 3)
        let other = try store.send(2)
        for recipient in chunk.recipients { _ = try store.open(recipient) }
        _ = try store.open(other.recipients[0])
        try store.acknowledge(chunk.recipients[0])
        // 14 November 2023, a Tuesday.
        fixture.clock.advance(by: Self.day)
        _ = try store.open(chunk.recipients[1])
        fixture.clock.advance(by: 6 * Self.day)
        _ = try store.open(chunk.recipients[1])
        fixture.clock.advance(by: 14 * Self.day)
        _ = try store.open(chunk.recipients[1])
        let counters = try store.statistics
        #expect(counters.filesCreated == 2 && counters.fileRecipients == 4 && counters.filesUploaded == 2)
        #expect(counters.fileDownloads == 7 && counters.fileDownloadAcknowledgements == 1)
        #expect(counters.downloadedToday == 5 && counters.downloadedThisWeek == 4)
        #expect(counters.downloadedThisMonth == 3)
        #expect(counters.filesCount == 2 && counters.filesSize == 200)
    }

    @Test func `a day ends with its line, and the counters begin again`() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let chunk = try store.send(1, recipients: 2)
        _ = try store.open(chunk.recipients[0])
        try store.acknowledge(chunk.recipients[1])
        #expect(try store.endDay() == nil)
        fixture.clock.advance(by: Self.day)
        #expect(try store.endDay() == "2023-11-14,1,2,1,0,1,,,1,1,1,100,0")
        #expect(try store.endDay() == nil)
        #expect(try store.statistics.filesCreated == 0 && store.statistics.filesCount == 1)
        // Monday
        fixture.clock.advance(by: 5 * Self.day)
        #expect(try store.endDay() == "2023-11-15,0,0,0,0,0,1,,0,0,1,100,0")
        // 1 December
        fixture.clock.advance(by: 11 * Self.day)
        #expect(try store.endDay()?.hasPrefix("2023-11-20,0,0,0,0,0,0,1,0,0") == true)
        #expect(try store.statistics.downloadedThisMonth == 0)
    }

    @Test func `counters survive a restart in the official form`() throws {
        let fixture = try StoreFixture()
        var store = try fixture.open()
        let chunk = try store.send(1, recipients: 2)
        let gone = try store.send(2)
        for recipient in chunk.recipients + gone.recipients { _ = try store.open(recipient) }
        try store.delete(gone.sender)
        let before = try store.statistics
        try store.close()
        let path = try #require(fixture.settings.statistics)
        let text = String(decoding: try FileSystem().contents(of: path, limit: 1 << 20), as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 15)
        #expect(
            lines.map { $0.prefix { $0 != "=" } } == [
                "fromTime", "filesCreated", "fileRecipients", "filesUploaded", "filesExpired", "filesDeleted",
                "filesBlocked", "filesCount", "filesSize", "filesDownloaded:", "dayHashes", "weekHashes",
                "monthHashes", "fileDownloads", "fileDownloadAcks",
            ])
        store = try fixture.open()
        #expect(try store.statistics == before)
        #expect(try !FileSystem().exists(path), "a crash does not count twice")
        _ = try store.open(chunk.recipients[0])
        #expect(try store.statistics.downloadedToday == 2, "it is known that this one was")
        try store.close()
        try FileSystem().replace(path, with: Array("filesCreated=7\nnonsense\nfileDownloads=x\n".utf8))
        store = try fixture.open()
        #expect(try store.statistics.filesCreated == 7 && store.statistics.fileDownloads == 0)
    }

    @Test func `numbers that nobody counts to can still be added to`() throws {
        let fixture = try StoreFixture()
        let path = try #require(fixture.settings.statistics)
        let names = [
            "filesCreated", "fileRecipients", "filesUploaded", "filesExpired", "filesDeleted", "filesBlocked",
            "fileDownloads", "fileDownloadAcks",
        ]
        let lines = names.map { "\($0)=\(Int.max)\n" }.joined() + "filesCreated=-5\nfilesCreated=\(Int.max)\n"
        try FileSystem().replace(path, with: Array(lines.utf8))
        let store = try fixture.open()
        let chunk = try store.send(1, recipients: 3)
        for recipient in chunk.recipients { _ = try store.open(recipient) }
        try store.acknowledge(chunk.recipients[0])
        try store.deleteByRecipient(chunk.recipients[1])
        let counters = try store.statistics
        #expect(counters.filesCreated > 1 << 53 && counters.fileDownloads > counters.filesCreated)
        try store.close()
        #expect(try fixture.open().statistics.filesDeleted == 1 << 53)
    }

    @Test func `Prometheus finds the names of the official relay`() throws {
        let store = try StoreFixture().open()
        _ = try store.send(1)
        let text = try store.statistics.prometheusText(now: 1_700_000_000_123, version: "1.0")
        #expect(text.contains("\nsimplex_xftp_files_uploaded 1 1700000000123\n"))
        #expect(text.contains("\nsimplex_xftp_files_size 100 1700000000123\n"))
        #expect(text.contains("\nsimplex_xftp_info{version=\"1.0\",rts_options=\"\"} 1 "))
        let samples = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(samples.count == 14 && samples.allSatisfy { $0.hasPrefix("simplex_xftp_") })
    }
}
