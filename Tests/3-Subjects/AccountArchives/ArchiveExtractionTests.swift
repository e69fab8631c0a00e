import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseArchives
import ValiseFailures
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Single entries are taken out, and nothing else is touched.
struct ArchiveExtractionTests {
    private let sandbox: Sandbox
    private var out: FilePath { sandbox.path("out") }

    private static let entries: [String: [UInt8]] = [
        "simplex_v1_files/photo.jpg": Array("not really a photo".utf8),
        "simplex_v1_files/Grüße.txt": Array("Übung".utf8),
        "simplex_v1_files/photo[1].png": [1],
        "simplex_v1_files/.hidden": [2],
        "simplex_v1_assets/wallpapers/wall.jpg": [UInt8](repeating: 7, count: 5000),
        "notes/deep/readme.txt": [],
    ]

    init() throws {
        sandbox = try Sandbox()
    }

    private func forge(_ more: [ForgedEntry] = []) throws {
        let entries = Self.entries.sorted { $0.key < $1.key }.enumerated().map { number, entry in
            number % 2 == 0 ? ForgedEntry(entry.key, entry.value) : .deflated(entry.key, entry.value)
        }
        try sandbox.write(
            ZipForge([ForgedEntry("notes/").with { $0.attributes = 0o040755 << 16 }] + entries + more).bytes,
            to: "archive.zip")
    }

    private func extract(
        _ patterns: [String] = [], force: Bool = false, interposer: (any FileInterposer)? = nil
    ) throws -> ExtractionReport {
        try ArchiveExtraction(
            .init(patterns: patterns, replacesFiles: force), fileSystem: FileSystem(interposer: interposer)
        ).extract(sandbox.archive, to: out)
    }

    private func extracted() throws -> [String: [UInt8]] {
        try sandbox.snapshot(of: "out").filter { !$0.key.hasSuffix("/") }
    }

    private func failed(_ report: ExtractionReport) -> [String] {
        report.archiveErrors.compactMap { if case .fileError(let file, _) = $0 { file } else { nil } }
    }

    // MARK: What comes

    @Test func `everything comes as it was packed, for this user alone`() throws {
        try forge()
        let report = try extract()
        #expect(report.isComplete && report.entries == 6 && report.withoutKey == nil)
        #expect(report.size == Int64(Self.entries.values.reduce(0) { $0 + $1.count }))
        #expect(try extracted() == Self.entries)
        for path in try sandbox.snapshot(of: "out").keys {
            let found = try sandbox.fileSystem.attributes(of: out.appending(path))
            #expect(found?.permissions.rawValue == (path.hasSuffix("/") ? 0o700 : 0o600), "\(path)")
        }
        // 0x5821 0x0000 of DOS.
        let photo = try sandbox.fileSystem.attributes(of: out.appending("simplex_v1_files/photo.jpg"))
        #expect(photo?.modificationTime == 1_704_067_200)
    }

    private static let patterns: [([String], Set<String>, [String])] = [
        (["*.jpg"], ["simplex_v1_files/photo.jpg", "simplex_v1_assets/wallpapers/wall.jpg"], []),
        (["simplex_v1_files/*.jpg"], ["simplex_v1_files/photo.jpg"], []),
        (["*/photo.jpg", "photo.jpg"], ["simplex_v1_files/photo.jpg"], []),
        (["readme.txt"], ["notes/deep/readme.txt"], []),
        // A star stops at a slash.
        (["notes/*.txt", "notes/*/*"], ["notes/deep/readme.txt"], ["notes/*.txt"]),
        (["Gr??e.txt"], ["simplex_v1_files/Grüße.txt"], []),
        (["photo[1].png"], ["simplex_v1_files/photo[1].png"], []),
        (["photo[[]?].*"], ["simplex_v1_files/photo[1].png"], []),
        (["photo[!0-9]*"], ["simplex_v1_files/photo.jpg", "simplex_v1_files/photo[1].png"], []),
        (["*hidden"], ["simplex_v1_files/.hidden"], []),
        (["*a*.t*t", "*a*b*"], ["notes/deep/readme.txt"], ["*a*b*"]),
        (["[x-z]*", "[n-pr]*.txt"], ["notes/deep/readme.txt"], ["[x-z]*"]),
        (["photo[", "photo[1]*", "photo\\[*"], ["simplex_v1_files/photo[1].png"], ["photo[", "photo[1]*"]),
        (["[]p]hoto[^a].jpg", "[]p]hoto.[^a]pg"], ["simplex_v1_files/photo.jpg"], ["[]p]hoto[^a].jpg"]),
        (["wall.jpg", "*.gif", "notes"], ["simplex_v1_assets/wallpapers/wall.jpg"], ["*.gif", "notes"]),
    ]

    @Test(arguments: patterns.indices)
    func `patterns are a shell's`(_ number: Int) throws {
        let (patterns, expected, unmatched) = Self.patterns[number]
        try forge()
        let report = try extract(patterns)
        #expect(Set(try extracted().keys) == expected)
        #expect(report.unmatched == unmatched && report.isComplete == unmatched.isEmpty)
    }

    @Test func `a pattern of many stars does not take for ever`() throws {
        let name = String(repeating: "a", count: 250)
        try forge([ForgedEntry(name, [1])])
        let start = ContinuousClock.now
        let pattern = String(repeating: "*a", count: 100)
        #expect(try extract([pattern, pattern + "b"]).unmatched == [pattern + "b"])
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test func `where no pattern means anything, nothing is made`() throws {
        try forge()
        #expect { try extract(["*.gif", "x"]) } throws: { ($0 as? any Failure)?.code == .notFound }
        #expect(try !sandbox.fileSystem.exists(out))
    }

    @Test func `a dry run tells the same and writes nothing`() throws {
        try forge()
        try sandbox.write([9], to: "out/simplex_v1_files/photo.jpg")
        let before = try sandbox.snapshot()
        let options = ArchiveExtraction.Options(patterns: ["*.jpg", "*.gif"], isDryRun: true)
        let plan = try ArchiveExtraction(options).extract(sandbox.archive, to: out)
        #expect(try sandbox.snapshot() == before)
        var report = try extract(["*.jpg", "*.gif"])
        #expect(report.entries == 1 && !report.isComplete)
        #expect(plan.isDryRun && !report.isDryRun)
        #expect(plan.archiveErrors == report.archiveErrors && plan.unmatched == report.unmatched)
        #expect(plan.entries == report.entries && plan.size == report.size)
        report = try ArchiveExtraction(options).extract(sandbox.archive, to: sandbox.path("none"))
        #expect(report.entries == 2)
        #expect(try !sandbox.fileSystem.exists(sandbox.path("none")))
    }

    // MARK: What is there

    @Test func `what is there stays, and is replaced when that is asked for`() throws {
        try forge()
        try sandbox.write(Array("mine".utf8), to: "out/simplex_v1_files/photo.jpg")
        try sandbox.write(Array("mine too".utf8), to: "out/simplex_v1_files/other")
        var report = try extract()
        #expect(failed(report) == ["simplex_v1_files/photo.jpg"] && report.entries == 5)
        #expect(try extracted()["simplex_v1_files/photo.jpg"] == Array("mine".utf8))
        report = try extract(["photo.jpg"], force: true)
        #expect(report.isComplete)
        let found = try extracted()
        #expect(found["simplex_v1_files/photo.jpg"] == Self.entries["simplex_v1_files/photo.jpg"])
        #expect(found["simplex_v1_files/other"] == Array("mine too".utf8))
    }

    @Test(arguments: [true, false])
    func `links and folders in the way are neither followed nor replaced`(force: Bool) throws {
        try forge()
        try sandbox.write([9], to: "beside/photo.jpg")
        try sandbox.fileSystem.makeDirectories(out.appending("simplex_v1_files/.hidden"))
        func link(_ target: String, _ name: String) throws {
            try #require(symlink(target, out.appending(name).string) == 0)
        }
        try link(sandbox.path("beside").string, "notes")
        try link("../../beside/photo.jpg", "simplex_v1_files/photo.jpg")
        try link("/nowhere/at/all", "simplex_v1_files/photo[1].png")
        try sandbox.write([1], to: "out/simplex_v1_assets")
        let beside = try sandbox.snapshot(of: "beside")
        let report = try extract(force: force)
        #expect(report.entries == 1 && failed(report).count == 5)
        #expect(try sandbox.snapshot(of: "beside") == beside)
        #expect(try sandbox.fileSystem.attributes(of: out.appending("notes"))?.kind == .symbolicLink)
        let photo = try sandbox.fileSystem.attributes(of: out.appending("simplex_v1_files/photo.jpg"))
        #expect(photo?.kind == .symbolicLink)
        #expect(try !sandbox.fileSystem.exists("/nowhere"))
    }

    @Test func `the folder itself may be a link to one, but not to nothing, and not a file`() throws {
        try forge()
        try sandbox.fileSystem.makeDirectories(sandbox.path("real"))
        try #require(symlink("real", out.string) == 0)
        #expect(try extract().isComplete)
        #expect(try sandbox.snapshot(of: "real").filter { !$0.key.hasSuffix("/") } == Self.entries)
        try sandbox.fileSystem.remove(out)
        try #require(symlink("gone", out.string) == 0)
        #expect { try extract() } throws: { ($0 as? any Failure)?.code == .unsupported }
        #expect(try !sandbox.fileSystem.exists(sandbox.path("gone")))
        try sandbox.fileSystem.remove(out)
        try sandbox.write([1], to: "out")
        #expect { try extract() } throws: { ($0 as? any Failure)?.code == .unsupported }
    }

    @Test func `names that differ by our suffix, or are as long as names get, all come`() throws {
        let long = String(repeating: "n", count: 255)
        try forge([ForgedEntry("x.partial", [1]), ForgedEntry("x", [2]), ForgedEntry(long, [3])])
        try sandbox.write([9], to: "out/simplex_v1_files/photo.jpg.partial")
        #expect(try extract().isComplete)
        let found = try extracted()
        #expect(found["x.partial"] == [1] && found["x"] == [2] && found[long] == [3])
        #expect(found["simplex_v1_files/photo.jpg.partial"] == [9])
    }

    // MARK: What is hostile

    @Test(arguments: FaultSweep.few(of: HostileKind.all))
    func `nothing outside of the folder is touched`(_ kind: HostileKind) throws {
        let sandbox = try Sandbox()
        try sandbox.write(try kind.make(), to: "archive.zip")
        let before = try sandbox.snapshot()
        let result = Result {
            try ArchiveExtraction(.init(replacesFiles: true, limits: kind.limits)).extract(
                sandbox.archive, to: sandbox.path("out"))
        }
        let after = try sandbox.snapshot()
        #expect(after.filter { $0.key != "out/" && !$0.key.hasPrefix("out/") } == before)
        guard case .defect(let defect) = kind.expected else { return }
        switch result {
        case .success(let report): #expect(!report.archiveErrors.isEmpty, "accepted")
        case .failure(let error):
            #expect((error as? ZipError)?.defect == defect, "\(error)")
            #expect(after["out/"] == nil)
        }
    }

    @Test func `damaged entries are told, and the others come`() throws {
        let bad = [
            ForgedEntry("simplex_v1_files/bad1", [1, 2, 3]).with { $0.both { $0.checksum ^= 1 } },
            ForgedEntry.deflated("simplex_v1_files/bad2", [1, 2, 3]).with { $0.packed[0] = 7 },
            ForgedEntry.deflated("simplex_v1_files/bad3", [1, 2, 3]).with { $0.both { $0.size = 20 } },
        ]
        try forge(bad)
        let report = try extract()
        #expect(failed(report) == (1...3).map { "simplex_v1_files/bad\($0)" })
        #expect(try extracted() == Self.entries)
    }

    @Test func `an entry that claims more than there is room for is refused before anything is made`() throws
    {
        try forge([
            ForgedEntry.deflated("huge", [1]).with {
                $0.both {
                    $0.size = .max
                    $0.extra = ExtraField.zip64(1 << 60)
                }
            }
        ])
        let options = ArchiveExtraction.Options(limits: ZipLimits(ratio: .max))
        #expect { try ArchiveExtraction(options).extract(sandbox.archive, to: out) } throws: {
            ($0 as? AccountArchiveError)?.code == .noSpace
        }
        #expect(try !sandbox.fileSystem.exists(out))
    }

    @Test func `names that Valise or SQLite would take for their own are left out`() throws {
        try sandbox.write([1], to: "out/other.db")
        try forge([
            ForgedEntry(".valise-simplex_v1/journal.json", [1]), ForgedEntry("other.db-journal", [2]),
            ForgedEntry("simplex_v1_chat.db-wal", [3]), ForgedEntry("simplex_v1_agent.db", [4]),
            ForgedEntry("fine-journal", [5]),
        ])
        try sandbox.write([9], to: "out/simplex_v1_agent.db-journal")
        let report = try extract(force: true)
        #expect(
            failed(report) == [
                ".valise-simplex_v1/journal.json", "other.db-journal", "simplex_v1_chat.db-wal",
                "simplex_v1_agent.db",
            ])
        #expect(try extracted()["fine-journal"] == [5])
        #expect(try extracted()["simplex_v1_agent.db"] == nil)
    }

    // MARK: Failures

    @Test func `failed at each operation, what has a name is whole, and the next run does the rest`() throws {
        let faults = [FaultPlan.Fault.crash, .fail(.ioError), .fail(.noSpace), .shortWrite]
        try forge()
        let previous = Array("the previous one".utf8)
        var position = 1
        var reached = true
        while reached {
            for fault in FaultSweep.turn(of: faults, at: position) {
                try sandbox.fileSystem.removeTree(out)
                try sandbox.write(previous, to: "out/simplex_v1_files/photo.jpg")
                let plan = FaultPlan(fault, at: position)
                let result = Result { try extract(force: true, interposer: plan) }
                if case .failure(let error) = result {
                    #expect(error is any Failure)
                } else if fault.isHarmless || !plan.wasReached {
                    #expect(try result.get().isComplete)
                }
                let found = try extracted().filter { !$0.key.hasPrefix(".valise-extract/") }
                #expect(found["simplex_v1_files/photo.jpg"] != nil)
                for (name, bytes) in found {
                    let isPrevious = name == "simplex_v1_files/photo.jpg" && bytes == previous
                    #expect(bytes == Self.entries[name] || isPrevious, "\(fault) at \(position): \(name)")
                }
                #expect(try extract(force: true).isComplete)
                #expect(try extracted() == Self.entries, "\(fault) at \(position)")
                reached = plan.wasReached
            }
            position += 1
        }
        #expect(position > 20)
    }

    @Test func `interrupted, it keeps what is whole and says how much`() throws {
        try forge()
        var calls = 0
        let error = #expect(throws: AccountArchiveError.self) {
            try ArchiveExtraction().extract(sandbox.archive, to: out) { _ in
                calls += 1
                if calls > 5 { throw Interruption() }
            }
        }
        #expect(error?.code == .interrupted)
        #expect(try sandbox.snapshot(of: "out") == [:])
    }

    @Test func `a second run into the folder is refused`() throws {
        try forge()
        try sandbox.fileSystem.makeDirectories(out)
        let lock = try DirectoryLock(out, .exclusive)
        #expect(lock != nil)
        #expect { try extract() } throws: { ($0 as? any Failure)?.code == .inUse }
        withExtendedLifetime(lock) {}
    }
}

extension FaultPlan.Fault {
    fileprivate var isHarmless: Bool { if case .shortWrite = self { true } else { false } }
}
