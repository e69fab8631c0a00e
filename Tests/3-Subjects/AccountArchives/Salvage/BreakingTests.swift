import FaultInjection
import SystemPackage
import TestPeers
import Testing
import ValiseAccountArchives
import ValiseArchives
import ValiseFailures
import ValiseFiles

/// Archives that were cut, overwritten or glued together: what is whole is kept, and nothing else.
struct BreakingTests {
    private let world: BrokenArchive
    private let bytes: [UInt8]
    private let parts: ArchiveParts
    private let original: [String: [UInt8]]

    init() throws {
        world = try BrokenArchive()
        bytes = try BrokenArchive.account.get()
        parts = try ArchiveParts(bytes)
        original = try world.contents(ofWhole: bytes)
    }

    private func expectKept(
        _ names: some Sequence<String>, _ report: ArchiveSalvageReport, _ what: Comment? = nil
    ) throws {
        let saved = try world.contents(of: world.out).filter { !$0.key.hasPrefix("damaged/") }
        #expect(Set(saved.keys) == Set(names), what)
        #expect(Set(report.kept.map(\.name)) == Set(names), what)
        for (name, content) in saved { #expect(content == original[name], "\(name)") }
    }

    @Test func `a sound archive is taken over whole`() throws {
        let report = try world.salvage(bytes)
        try expectKept(original.keys, report)
        #expect(report.isComplete && report.unknown.isEmpty)
        #expect(try world.leftovers().isEmpty)
        let order = try ZipIndex(FileSystem().openForReading(world.out)).entries.map(\.name)
        #expect(order.prefix(2) == [BrokenArchive.chat, BrokenArchive.agent])
        #expect(order == parts.entries.map(\.name))
    }

    @Test func `cut anywhere, what lies before the cut is kept`() throws {
        let third = parts.entries[3].range
        let cuts = [
            third.lowerBound, third.lowerBound + 3, third.lowerBound + 29, third.lowerBound + 40,
            third.lowerBound + 200, third.upperBound - 20, third.upperBound - 5, third.upperBound - 1,
            parts.directory, parts.directory + 20, parts.directory + 300, parts.end, parts.end + 10,
            bytes.count - 1,
        ]
        for cut in cuts {
            let report = try world.salvage(Array(bytes[..<cut]))
            let whole = parts.entries.filter { $0.range.upperBound <= cut }.map(\.name)
            // Descriptors may be cut: then nothing proves the data.
            try expectKept(whole, report, "cut at \(cut)")
            #expect(report.isComplete == (cut >= parts.directory + 300), "cut at \(cut)")
        }
    }

    @Test func `of a directory that is cut off it is said that its end is missing, and that no entry is`()
        throws
    {
        for cut in [parts.directory + 300, parts.end, parts.end + 10] {
            let report = try world.salvage(Array(bytes[..<cut]))
            #expect(report.isComplete && report.unknown.isEmpty, "cut at \(cut)")
            #expect(
                report.notes == [
                    "the end of the central directory is missing; all entries before it were found"
                ], "cut at \(cut)")
        }
        #expect(try world.salvage(bytes).notes.isEmpty)
    }

    @Test func `cut before anything is whole, nothing is written`() throws {
        for cut in [0, 1, 25] {
            let error = try #require(throws: ArchiveSalvageError.self) {
                _ = try world.salvage(Array(bytes[..<cut]))
            }
            #expect(error.code == .damaged)
            #expect(try !FileSystem().exists(world.out))
            #expect(try world.leftovers().isEmpty)
        }
    }

    @Test func `without a directory, all entries are found by their own headers`() throws {
        var zeroed = bytes
        for index in parts.directory..<parts.end { zeroed[index] = 0 }
        let report = try world.salvage(zeroed)
        try expectKept(original.keys, report)
        // The end record says where the directory began, which is where the last entry ends.
        #expect(report.isComplete)
        for index in parts.end..<bytes.count { zeroed[index] = 0 }
        let second = try world.salvage(zeroed)
        try expectKept(original.keys, second)
        #expect(!second.isComplete && !second.unknown.isEmpty, "nothing tells that there was no more")
    }

    @Test func `without an end record, the directory is believed as far as checksums do`() throws {
        let report = try world.salvage(Array(bytes[..<parts.end]))
        try expectKept(original.keys, report)
        var hole = bytes
        let first = try parts.range(of: BrokenArchive.agent)
        for index in first.lowerBound..<first.lowerBound + 20 { hole[index] = 0xee }
        try expectKept(original.keys, try world.salvage(Array(hole[..<parts.end])), "no header, no end")
    }

    @Test func `a changed byte of the directory costs no entry`() throws {
        for index in stride(from: parts.directory, to: parts.end, by: FaultSweep.step(11)) {
            var broken = bytes
            broken[index] ^= 0xff
            try expectKept(original.keys, try world.salvage(broken), "byte \(index)")
        }
    }

    @Test func `an entry that the directory puts where another one begins costs neither`() throws {
        let offset = { (record: Int) in record + 42..<record + 46 }
        for (index, record) in parts.records.enumerated() {
            for (other, named) in [(index + 1, "also"), (index - 1, "also"), (index + 2, "alone")] {
                // Of two with the same content, the directory is believed with the name.
                guard parts.records.indices.contains(other),
                    original[parts.entries[index].name] != original[parts.entries[other].name]
                else { continue }
                var broken = bytes
                broken.replaceSubrange(offset(record), with: bytes[offset(parts.records[other])])
                // And with a header of the directory fewer, which names nothing then.
                if named == "alone" { broken[parts.records[other]] ^= 0xff }
                try expectKept(
                    original.keys, try world.salvage(broken), "\(index) at the place of \(other), \(named)")
            }
        }
    }

    @Test func `holes lose what they hit`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("holes: seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        for round in FaultSweep.few(of: 0..<60) {
            let size = [4096, 64, 1][round % 3]
            let start = Int.random(in: 0..<bytes.count, using: &generator)
            let hole = start..<min(bytes.count, start + size)
            var broken = bytes
            for index in hole { broken[index] = round % 2 == 0 ? 0 : ~broken[index] }
            let report = try world.salvage(broken)
            let hit = parts.entries.filter { $0.range.overlaps(hole) }.map(\.name)
            let kept = Set(report.kept.map(\.name))
            #expect(kept.isSuperset(of: Set(original.keys).subtracting(hit)), "seed \(seed) hole \(hole)")
            try expectKept(kept, report)
            let lost = Set(original.keys).subtracting(kept)
            #expect(lost.isEmpty || !report.isComplete, "seed \(seed) hole \(hole)")
        }
    }

    @Test func `an entry without its own header is proved by the directory`() throws {
        for (name, range) in parts.entries {
            var broken = bytes
            for index in range.lowerBound..<range.lowerBound + 30 { broken[index] = 0 }
            let report = try world.salvage(broken)
            try expectKept(original.keys, report, Comment(rawValue: name))
            #expect(report.isComplete)
        }
    }

    @Test func `bytes in front and behind do no harm`() throws {
        let junk = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 5) }
        for broken in [junk + bytes, bytes + junk, junk + bytes + junk, [0x50, 0x4b, 3, 4] + bytes] {
            let report = try world.salvage(broken)
            try expectKept(original.keys, report)
            #expect(report.isComplete)
            #expect(!report.unknown.isEmpty)
        }
    }

    @Test func `with the begin cut off, the rest is kept and the first entry is named as lost`() throws {
        let report = try world.salvage(Array(bytes[100...]))
        try expectKept(original.keys.filter { $0 != BrokenArchive.chat }, report)
        #expect(report.lost.map(\.name) == [BrokenArchive.chat])
        #expect(report.databases.map(\.state) == [.missing, .intact])
    }

    @Test(.enabled(if: OtherProgram.isThere("python3")))
    func `two archives in one file: identical entries are counted, and the last one counts`() throws {
        let twice = try world.salvage(bytes + bytes)
        try expectKept(original.keys, twice)
        #expect(twice.isComplete && twice.duplicates == original.count)
        let older = try world.python(
            """
            make("whole.zip", [(chat, b"older chat"), (media("old"), b"only there"), (media("x"), b"x")])
            """)
        let report = try world.salvage(older + bytes)
        #expect(report.superseded.map(\.name) == [BrokenArchive.chat])
        #expect(try world.contents(of: world.out)[BrokenArchive.chat] == original[BrokenArchive.chat])
        #expect(report.kept.contains { $0.name == "simplex_v1_files/old.jpg" })
        // Damaged in the last archive: the older one is kept, and that is said.
        var broken = bytes
        broken[try parts.range(of: BrokenArchive.chat).lowerBound + 5000] ^= 1
        let second = try world.salvage(older + broken)
        #expect(try world.contents(of: world.out)[BrokenArchive.chat] == Array("older chat".utf8))
        #expect(second.lost.contains { $0.name == BrokenArchive.chat && $0.olderIsKept })
        #expect(!second.isComplete)
    }

    @Test func `with bytes missing in the middle, what is before and behind is kept`() throws {
        let hit = parts.entries[4]
        let middle = hit.range.lowerBound + 1000
        let report = try world.salvage(Array(bytes[..<middle] + bytes[(middle + 777)...]))
        try expectKept(original.keys.filter { $0 != hit.name }, report)
        #expect(report.lost.map(\.name).contains(hit.name) && !report.isComplete)
    }

    @Test func `a cut archive in front of a whole one does not hide it`() throws {
        let cut = Array(bytes[..<(parts.entries[3].range.lowerBound + 200)])
        let report = try world.salvage(cut + bytes)
        try expectKept(original.keys, report)
        #expect(report.isComplete)
    }
}
