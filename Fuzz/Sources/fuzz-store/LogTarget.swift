import Fuzzing
import ValiseEncoding
import ValiseFiles

@testable import ValiseRelay

/// What a relay finds beside its chunks: its log, its counters, names of files.
enum LogTarget {
    private static let file = ScratchFile("log")

    static func line(_ bytes: [UInt8]) {
        guard let line = try? StoreLogLine(String(decoding: bytes, as: UTF8.self)) else { return }
        FuzzRun.require((try? StoreLogLine(line.text)) == line, "a line is read again from \(line.text)")
    }

    /// A log of any lines: what is left of them is said again by a compacted one.
    static func log(_ bytes: [UInt8]) {
        file.write(bytes)
        var records = ChunkTables()
        var count = 0
        let ending = try? StoreLogReader.read(file.path, fileSystem: FileSystem()) { number, line in
            count += 1
            FuzzRun.require(number == count, "lines are counted")
            guard let line = try? line.get() else { return }
            try? records.apply(line)
        }
        guard let ending else { return FuzzRun.require(false, "a file is read") }
        FuzzRun.require(
            ending.lineCount == bytes.count { $0 == 10 } && ending.wholeBytes <= Int64(bytes.count)
                && ending.isTorn == (ending.wholeBytes < Int64(bytes.count)), "the end is where it is")
        check(records)
        let lines = lines(of: records)
        FuzzRun.require(
            lines.count == StoreLogCompaction.lineCount(of: records), "a compacted log has the lines foretold"
        )
        var again = ChunkTables()
        for line in lines {
            FuzzRun.require((try? again.apply(line)) != nil, "\(line.text) is taken")
        }
        FuzzRun.require(
            again.usedSpace == records.usedSpace && again.weight == records.weight
                && again.uploadedCount == records.uploadedCount
                && self.lines(of: again).map(\.text).sorted() == lines.map(\.text).sorted(),
            "a compacted log says the same")
    }

    private static func lines(of records: ChunkTables) -> [StoreLogLine] {
        var lines: [StoreLogLine] = []
        for slot in 0..<records.chunks.end where !records.chunks[slot].isVacant {
            lines += records.lines(of: slot, path: "x")
        }
        return lines
    }

    private static func check(_ records: ChunkTables) {
        var (space, recipients): (Int64, Int) = (0, 0)
        for slot in 0..<records.chunks.end where !records.chunks[slot].isVacant {
            if records.chunks[slot].isHere { space += Int64(records.chunks[slot].size) }
            let slots = records.recipientSlots(slot)
            FuzzRun.require(slots.count == Int(records.chunks[slot].recipientCount), "recipients are counted")
            recipients += slots.count
        }
        FuzzRun.require(
            space == records.usedSpace && recipients == records.recipients.count,
            "space and names are counted")
    }

    static func counters(_ bytes: [UInt8]) {
        var records = ChunkTables()
        var counters = StoreCounters(from: 1_700_000_000)
        counters.read(String(decoding: bytes, as: UTF8.self), now: 1_700_000_000, &records)
        var again = StoreCounters(from: 0)
        again.read(counters.text(records), now: 1_700_000_000, &records)
        FuzzRun.require(again.filesCreated == counters.filesCreated, "counters are read again")
        // What is read can be added to.
        for _ in 0..<2 { counters.noteDownload(previous: 0, day: 1) }
        counters.filesCreated += 1
        counters.fileRecipients += 255
        counters.filesUploaded += 1
        counters.filesExpired += 1
        counters.filesDeleted += 1
        counters.filesBlocked += 1
        counters.fileDownloadAcknowledgements += 1
        _ = counters.rollOver(now: 1_700_100_000, count: 0, size: 0)
    }

    static func name(_ bytes: [UInt8]) {
        guard case .body(let name) = ChunkFolder.name(bytes) else { return }
        FuzzRun.require(Array(name.text.utf8) == bytes, "a body has one name, and this is it")
    }
}
