import Fuzzing
import ValiseFiles

@testable import ValiseArchives

/// A broken archive: whatever is said to be whole is, and everything of a sound archive is found.
enum ScanTarget {
    private static let scratch = ScratchFile("scan")

    static func run(_ bytes: [UInt8]) {
        let source = MemorySource(bytes)
        let scan: ZipScan
        do {
            scan = try ZipScan(source)
        } catch {
            return FuzzRun.require(false, "damage is found and not thrown (\(error))")
        }
        // A little file may be read again and again within one window.
        let most = 8 * Int64(bytes.count) + (4 << 20)
        FuzzRun.require(source.bytesRead <= most, "\(source.bytesRead) bytes are read, of \(bytes.count)")
        checkPlaces(scan, bytes)
        for entry in scan.entries { check(entry, source, bytes) }
        compare(scan, bytes)
    }

    private static func checkPlaces(_ scan: ZipScan, _ bytes: [UInt8]) {
        let file = 0...Int64(bytes.count)
        func lies(_ range: Range<Int64>) -> Bool {
            file.contains(range.lowerBound) && file.contains(range.upperBound)
        }
        FuzzRun.require(scan.unknown.allSatisfy(lies), "what is unknown lies in the file")
        FuzzRun.require(scan.directories.allSatisfy { lies($0.range) }, "directories lie in the file")
        FuzzRun.require(scan.entries.allSatisfy { lies($0.data) }, "entries lie in the file")
        // An archive in an entry of another may be named twice; but what comes out is bounded by the file.
        let whole = scan.entries.filter { $0.state == .intact }
        let size = whole.reduce(0) { $0 + Int64($1.data.count) }
        FuzzRun.require(size <= 4 * Int64(bytes.count) + (1 << 20), "\(size) bytes come of \(bytes.count)")
    }

    private static func check(_ entry: ZipScannedEntry, _ source: MemorySource, _ bytes: [UInt8]) {
        var rest = 0
        do {
            try entry.unpackRest(from: source) { rest += $0.count }
        } catch {
            FuzzRun.require(false, "what is left of \(entry.shownName) can be read (\(error))")
        }
        guard entry.state == .intact, !entry.isFolder else { return }
        let packed = Array(bytes[Int(entry.data.lowerBound)..<Int(entry.data.upperBound)])
        let content = entry.method == .stored ? packed : Deflate.unpack(packed, most: 32 << 20)
        FuzzRun.require(
            content.map { Int64($0.count) } == entry.size,
            "\(entry.shownName) at \(entry.headerOffset) has its size: \(content?.count ?? -1) of \(entry.size ?? -1) bytes, packed \(entry.data)"
        )
        FuzzRun.require(
            content.map(Deflate.checksum) == entry.checksum, "\(entry.shownName) has its checksum")
        FuzzRun.require(rest == content?.count, "all of \(entry.shownName) is left")
    }

    /// An archive that an import takes is one in which a salvage finds everything.
    private static func compare(_ scan: ZipScan, _ bytes: [UInt8]) {
        scratch.write(bytes)
        guard !scan.isIncomplete,
            let index = try? ZipIndex(try FileSystem().openForReading(scratch.path)),
            let damaged = try? ZipContents(index, MemorySource(bytes)).check()
        else { return }
        for entry in index.entries where !entry.isFolder && !damaged.contains(where: { $0.entry == entry }) {
            let found = scan.entries.first { $0.headerOffset == entry.localOffset }
            FuzzRun.require(
                found.map { $0.state == .intact && $0.rawName.elementsEqual(entry.name.utf8) } ?? false,
                "\(entry.name) is found whole, and not \(found.map { "\($0.state)" } ?? "missing")")
        }
    }
}
