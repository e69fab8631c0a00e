import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

@testable import Valise
@testable import ValiseMaintenance

/// Times, progress and names that all programs word alike.
struct WordingTests {
    @Test func `progress is told with how much is done, where that is known`() {
        #expect(OperationProgress("copying").lineText == "copying")
        #expect(
            OperationProgress("copying", completed: 1_500_000, total: 3_000_000).lineText
                == "50%  1.5 MB of 3.0 MB  copying")
        #expect(
            OperationProgress("checking", completed: 1, total: 4, unit: .items).lineText
                == "25%  1 of 4  checking")
    }

    @Test(
        arguments: [
            (-1, "now"), (0, "now"), (89, "in 89 s"), (90, "in 2 min"), (5399, "in 90 min"), (5400, "in 2 h"),
            (172_800, "in 48 h"),
        ] as [(Int64, String)])
    func `a moment to come is told in one unit`(seconds: Int64, text: String) {
        #expect(ShortDuration.until(seconds) == text)
    }

    @Test func `an upload expires soon in its last twelve hours`() {
        #expect(!ExpiryClock(expires: 100_000, now: 0).isNear)
        let near = ExpiryClock(expires: 3 * 3600, now: 0)
        #expect(near.isNear && !near.isOver && near.text.hasPrefix("in 3 h 0 min ("))
        let over = ExpiryClock(expires: 10, now: 10)
        #expect(over.isOver && over.text.hasPrefix("on "))
    }

    @Test(
        arguments: [
            (nil, nil, ""), ("2026-01-01 00:00:16", nil, " at 2026-01-01 00:00:16"),
            ("2026-01-01 00:00:16.618", "2026-01-01 00:00:16", " at 2026-01-01 00:00:16"),
            (
                "2026-01-01 00:00:16", "2026-01-01 00:41:50.5",
                " from 2026-01-01 00:00:16 to 2026-01-01 00:41:50"
            ),
        ] as [(String?, String?, String)])
    func `lost messages have one time or two, in seconds`(first: String?, last: String?, text: String) {
        let lost = SalvageReport.Messages(chat: "bob", count: 1, first: first, last: last)
        #expect(lost.line == "  lost in 'bob': 1 message\(text)")
    }

    @Test func `what is salvaged goes beside what is damaged`() throws {
        #expect(
            SuggestedPath.salvagedAccount(beside: .init(directory: "/a/b", prefix: "simplex_v1"))
                == "/a/b-salvaged")
        let here = try #require(FilePath(FileManager.default.currentDirectoryPath).lastComponent?.string)
        #expect(
            SuggestedPath.salvagedAccount(beside: .init(directory: ".", prefix: "simplex_v1"))
                == FilePath("../\(here)-salvaged"))
        #expect(
            SuggestedPath.salvagedAccount(beside: .init(directory: "/", prefix: "simplex_v1"))
                == "/../simplex_v1-salvaged")
        #expect(SuggestedPath.salvagedArchive(beside: "/a/b.zip") == "/a/b-salvaged.zip")
        #expect(SuggestedPath.salvagedArchive(beside: "/") == nil)
    }

    @Test func `a salvage is suggested into a name that nothing has`() throws {
        let folder = try TemporaryFolder()
        let (account, archive) = (folder.appending("bada"), folder.appending("b.zip"))
        func suggested() -> [FilePath?] {
            [
                SuggestedPath.salvagedAccount(beside: .init(directory: account, prefix: "simplex_v1")),
                SuggestedPath.salvagedArchive(beside: archive),
            ]
        }
        #expect(suggested() == [folder.appending("bada-salvaged"), folder.appending("b-salvaged.zip")])
        try FileSystem().makeDirectory(folder.appending("bada-salvaged"))
        try FileSystem().replace(folder.appending("b-salvaged.zip"), with: [])
        #expect(suggested() == [folder.appending("bada-salvaged-2"), folder.appending("b-salvaged-2.zip")])
        try FileSystem().makeDirectory(folder.appending("bada-salvaged-2"))
        #expect(suggested()[0] == folder.appending("bada-salvaged-3"))
    }

    @Test func `lost pages that meet may have held any row`() {
        var table = SalvageReport.Table(name: "messages")
        table.missingRanges = [.init(above: nil, upTo: 46), .init(above: 46, upTo: nil)]
        #expect(table.missingIDs == "any ids")
        table.missingRanges = [.init(above: nil, upTo: 46), .init(above: 60, upTo: nil)]
        #expect(table.missingIDs == "ids up to 46; ids above 60")
    }
}
