import FaultInjection
import SystemPackage
import TestPeers
import Testing
import ValiseArchives
import ValiseFailures
import ValiseFiles

/// What other programs pack, and what is wrong with a packed stream.
struct PackedContainerTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws { folder = try TemporaryFolder("valise-containers", inMemory: true) }

    /// Runs a line of the shell in the folder, and gives the file that it made.
    private func made(_ line: String, _ name: String) throws -> [UInt8] {
        let shell = try #require(OtherProgram("sh"))
        let outcome = try shell.run(["-c", line], in: folder.path.string)
        try #require(outcome.status == 0, "\(line): \(outcome.output)")
        return try fileSystem.contents(of: folder.appending(name), limit: 1 << 30)
    }

    private static let long = String(repeating: "lang-", count: 30) + ".txt"
    private static let contents: [(String, [UInt8])] = [
        ("simplex_v1_chat.db", (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }),
        ("simplex_v1_files/\(long)", Array("long".utf8)), ("simplex_v1_files/leer", []),
        ("simplex_v1_files/Grüße 🙂.txt", Array("names".utf8)),
    ]

    private func writeFiles() throws {
        try fileSystem.makeDirectories(folder.appending("d/simplex_v1_files"))
        for (name, bytes) in Self.contents {
            try fileSystem.replace(folder.path.appending("d/\(name)"), with: bytes)
        }
    }

    /// - Parameter line: makes `out` from the folder `d`.
    private func expectRead(_ line: String, _ format: String) throws {
        let read = try ReadContainer(try made("rm -f out; \(line)", "out"))
        #expect(read.format == format, "\(line)")
        let expected = Self.contents.map { ReadContainer.Entry(name: $0, content: $1) }
        #expect(read.entries.sorted { $0.name < $1.name } == expected.sorted { $0.name < $1.name }, "\(line)")
    }

    @Test(.enabled(if: OtherProgram.isThere("tar", "bsdtar", "xz", "zstd", "gzip", "sh")))
    func `tars of GNU tar and bsdtar are read, however they are packed`() throws {
        try writeFiles()
        for format in ["gnu", "posix", "oldgnu"] {
            try expectRead("tar --format \(format) -C d -cf out .", "tar")
            try expectRead("tar --format \(format) -cf out -C d simplex_v1_chat.db simplex_v1_files", "tar")
        }
        for format in ["pax", "gnutar", "paxr"] {
            try expectRead("LC_ALL=C.UTF-8 bsdtar --format \(format) -cf out -C d .", "tar")
        }
        try expectRead("tar -C d -czf out .", "tar.gz")
        try expectRead("tar -C d -cJf out .", "tar.xz")
        try expectRead("tar -C d --zstd -cf out .", "tar.zst")
        try expectRead("tar -C d -cf - . | zstd -q -T2 -19 -o out", "tar.zst")
        try expectRead("bsdtar --format newc -czf out -C d .", "cpio.gz")
        // Streams in a row are one.
        try expectRead(
            "tar -C d -cf t . && head -c 5000 t | gzip > out && tail -c +5001 t | gzip >> out", "tar.gz")
    }

    @Test(.enabled(if: OtherProgram.isThere("bsdtar", "7z", "sh")))
    func `cpio and 7z are read`() throws {
        try writeFiles()
        for format in ["newc", "odc", "bin"] {
            try expectRead("bsdtar --format \(format) -cf out -C d .", "cpio")
        }
        for method in ["LZMA", "LZMA2", "PPMd", "BZip2", "Deflate", "Copy"] {
            try expectRead(
                "cd d && LC_ALL=C.UTF-8 7z a -m0=\(method) ../out.7z . > ../log && mv ../out.7z ../out", "7z")
        }
    }

    @Test(.enabled(if: OtherProgram.isThere("7z", "sh")))
    func `a 7z with a passphrase is refused as such`() throws {
        try writeFiles()
        for option in ["", "-mhe=on"] {
            let bytes = try made(
                "cd d && rm -f ../x.7z && 7z a -psecret \(option) ../x.7z . > ../log", "x.7z")
            let refusal = ReadContainer.refusal(bytes)
            #expect(refusal?.defect == "encrypted" && refusal?.code == .unsupported, "\(refusal as Any)")
        }
    }

    @Test(.enabled(if: OtherProgram.isThere("gzip", "xz", "zstd", "tar", "sh")))
    func `a flipped bit anywhere in the content of a packed tar is found`() throws {
        try writeFiles()
        for pack in ["gzip -c", "gzip -1 -c", "xz -c", "zstd -q -c --check"] {
            let bytes = try made("tar -C d -cf - . | \(pack) > out", "out")
            for step in 1..<60 {
                var damaged = bytes
                damaged[bytes.count * step / 61] ^= 0x10
                let refusal = ReadContainer.refusal(damaged, skipping: step % 2 == 0)
                #expect(refusal != nil, "\(pack), step \(step)")
            }
            for end in (1..<40).map({ bytes.count * $0 / 40 }) + (1...24).map({ bytes.count - $0 }) {
                let refusal = ReadContainer.refusal(Array(bytes[..<end]))
                #expect(refusal?.code == .damaged, "\(pack), \(end) of \(bytes.count): \(refusal as Any)")
            }
        }
    }

    @Test(.enabled(if: OtherProgram.isThere("gzip", "xz", "zstd", "sh")))
    func `bombs are refused before they have grown`() throws {
        for pack in ["gzip -9", "xz -9", "zstd -q -19"] {
            // One entry that declares what it has; and zeros behind the end.
            var forge = TarForge()
            forge.add("x", content: "x", size: 64 << 20)
            let header = forge.bytes.prefix(512)
            let end = TarForge.tar([("simplex_v1_chat.db", "x")])
            for (name, head) in [("entry", Array(header)), ("end", end)] {
                try fileSystem.replace(folder.appending("head"), with: head)
                let bytes = try made(
                    "(cat head; head -c 67108864 /dev/zero; head -c 1024 /dev/zero) | \(pack) > out", "out")
                for skipping in [false, true] {
                    let refusal = ReadContainer.refusal(bytes, skipping: skipping)
                    #expect(refusal?.defect == "ratio", "\(pack) \(name): \(refusal as Any)")
                }
                #expect(
                    ReadContainer.refusal(bytes, limits: ZipLimits(ratio: 1 << 20), skipping: true) == nil)
            }
        }
    }

    @Test(.enabled(if: OtherProgram.isThere("gzip", "xz", "sh")))
    func `what is packed twice, or is no archive inside, is refused`() throws {
        try fileSystem.replace(folder.appending("t"), with: TarForge.tar([("a", "x")]))
        let twice = ReadContainer.refusal(try made("gzip -c t | gzip -c > out", "out"))
        #expect(twice?.defect == "severalPackings" && twice?.code == .unsupported, "\(twice as Any)")
        let mixed = ReadContainer.refusal(try made("gzip -c t | xz -c > out", "out"))
        #expect(mixed?.defect == "notAnArchive", "\(mixed as Any)")
        let text = ReadContainer.refusal(try made("seq 10000 | gzip -c > out", "out"))
        #expect(text?.defect == "notAnArchive" && text?.code == .unsupported, "\(text as Any)")
    }

    @Test(.enabled(if: OtherProgram.isThere("tar", "sh")))
    func `a sparse file is read with its holes`() throws {
        let line = """
            rm -rf s && mkdir s && cd s && printf start > f && truncate -s 3M f && printf end >> f && \
            truncate -s 4M f && tar -Scf ../out f
            """
        let read = try ReadContainer(try made(line, "out"))
        var expected = [UInt8](repeating: 0, count: 4 << 20)
        expected.replaceSubrange(0..<5, with: Array("start".utf8))
        expected.replaceSubrange((3 << 20)..<((3 << 20) + 3), with: Array("end".utf8))
        #expect(read.entries.map(\.name) == ["f"])
        #expect(read.entries.first?.content == expected)
    }

    @Test(.enabled(if: OtherProgram.isThere("bsdtar", "7z", "sh")))
    func `links in cpio and 7z are refused, too`() throws {
        let setup = "rm -rf l && mkdir l && printf x > l/a && "
        let lines = [
            ("ln -s /etc/passwd l/b && bsdtar --format newc -cf out -C l a b", "symbolicLink"),
            ("ln l/a l/b && bsdtar --format newc -cf out -C l a b", "hardLink"),
            (
                "ln -s /etc/passwd l/b && rm -f out.7z && cd l && 7z a -snl ../out.7z a b > ../log && mv ../out.7z ../out",
                "symbolicLink"
            ),
            ("mkfifo l/b && bsdtar --format newc -cf out -C l a b", "specialFile"),
        ]
        for (line, defect) in lines {
            let refusal = ReadContainer.refusal(try made(setup + line, "out"))
            #expect(refusal?.defect == defect && refusal?.code == .unsupported, "\(line): \(refusal as Any)")
        }
    }

    @Test(.enabled(if: OtherProgram.isThere("bsdtar", "7z", "gzip", "xz", "zstd", "sh")))
    func `changed bytes are refused or change nothing that has a checksum, and never crash`() throws {
        try writeFiles()
        let seed = UInt64.random(in: 1 ... .max)
        var random = Numbers(state: seed)
        for (line, hasChecksums) in [
            ("cd d && rm -f ../o.7z && 7z a ../o.7z . > ../log && mv ../o.7z ../out", true),
            ("bsdtar -cJf out -C d .", true), ("bsdtar -cf - -C d . | zstd -q --check > out", true),
            ("bsdtar --format newc -cf out -C d .", false), ("bsdtar -cf out -C d .", false),
        ] {
            let bytes = try made("rm -f out; \(line)", "out")
            let original = try ReadContainer(bytes)
            for round in 0..<300 {
                var changed = bytes
                // Headers are where the readers decide, so half of the changes are in them.
                let region = round % 2 == 0 ? bytes.count : min(bytes.count, 1024)
                for _ in 0...Int(random.next() % 3) {
                    let place = Int(random.next() % UInt64(region))
                    changed[round % 4 < 2 ? place : bytes.count - 1 - place] = UInt8(
                        truncatingIfNeeded: random.next())
                }
                guard let read = try? ReadContainer(changed) else { continue }
                #expect(read.names.allSatisfy { (try? ZipName.check(Array($0.utf8))) != nil })
                if hasChecksums {
                    #expect(read.entries == original.entries, "\(line), round \(round), seed \(seed)")
                }
            }
        }
    }

    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }
}
