import FaultInjection
import SystemPackage
import TestPeers
import Testing
import ValiseAccountArchives
import ValiseArchives
import ValiseFiles

/// Archives of other programs: descriptors in every form, Zip64, deflated entries, archives in archives.
struct OtherWritersTests {
    private let world: BrokenArchive

    init() throws { world = try BrokenArchive() }

    private func names(_ report: ArchiveSalvageReport) -> Set<String> { Set(report.kept.map(\.name)) }

    private func cutDirectory(_ bytes: [UInt8]) throws -> [UInt8] {
        Array(bytes[..<(try ArchiveParts(bytes)).directory])
    }

    /// Python, to a stream that cannot seek: sizes are in descriptors only.
    private func streamed(_ method: Int, zip64: Bool = false) throws -> [UInt8] {
        try world.python(
            """
            class Pipe(io.RawIOBase):
                def __init__(self): self.all = bytearray()
                def writable(self): return True
                def seekable(self): return False
                def write(self, b): self.all += b; return len(b)
            pipe = Pipe()
            with zipfile.ZipFile(pipe, "w", \(method)) as z:
                for name, data in [(chat, some(40000)), (agent, b"text " * 9000), (media(1), b""),
                                   (media(2), some(7000))]:
                    with z.open(name, "w", force_zip64=\(zip64 ? "True" : "False")) as f: f.write(data)
            open("whole.zip", "wb").write(pipe.all)
            """)
    }

    @Test(.enabled(if: OtherProgram.isThere("python3")), arguments: [0, 8], [false, true])
    func `entries with their sizes behind the data are found without a directory`(
        method: Int, zip64: Bool
    ) throws {
        let bytes = try streamed(method, zip64: zip64)
        let original = try world.contents(ofWhole: bytes)
        for broken in [bytes, try cutDirectory(bytes)] {
            let report = try world.salvage(broken)
            #expect(names(report) == Set(original.keys))
            #expect(try world.contents(of: world.out) == original)
        }
        let parts = try ArchiveParts(bytes)
        // A damaged one loses itself alone.
        var broken = try cutDirectory(bytes)
        broken[try parts.range(of: BrokenArchive.chat).lowerBound + 9000] ^= 0x40
        #expect(names(try world.salvage(broken)) == Set(original.keys).subtracting([BrokenArchive.chat]))
    }

    @Test(.enabled(if: OtherProgram.isThere("python3")), arguments: [0, 8])
    func `descriptors without a signature are found too`(method: Int) throws {
        let bytes = try streamed(method)
        let original = try world.contents(ofWhole: bytes)
        var plain: [UInt8] = []
        let parts = try ArchiveParts(bytes)
        for (_, range) in parts.entries {
            let entry = bytes[range]
            // All end with a descriptor of 16 bytes.
            plain += entry.dropLast(16) + entry.suffix(12)
        }
        let report = try world.salvage(plain + bytes[parts.directory..<parts.end])
        #expect(names(report) == Set(original.keys))
    }

    @Test(.enabled(if: OtherProgram.isThere("python3")))
    func `archives of zip and bsdtar are read without their directories`() throws {
        try FileSystem().makeDirectory(world.folder.appending("simplex_v1_files"))
        var generator = SeededGenerator(seed: 7)
        for name in [BrokenArchive.chat, BrokenArchive.agent, "simplex_v1_files/a", "simplex_v1_files/b"] {
            let bytes = (0..<20_000).map { _ in
                UInt8.random(in: 0...(name.hasSuffix("a") ? 9 : 255), using: &generator)
            }
            try FileSystem().replace(world.folder.appending(name), with: bytes)
        }
        let all = "\(BrokenArchive.chat) \(BrokenArchive.agent) simplex_v1_files/a simplex_v1_files/b"
        for command in [
            "zip -q - \(all) | cat > whole.zip", "zip -q -0 - \(all) | cat > whole.zip",
            "bsdtar --format zip -cf - \(all) | cat > whole.zip",
            "bsdtar --format zip --options zip:compression=store -cf - \(all) | cat > whole.zip",
            "7z a -bso0 -bd whole.zip \(all)",
        ] {
            try? FileSystem().remove(world.folder.appending("whole.zip"))
            try world.tool("sh", ["-c", command])
            let bytes = try FileSystem().contents(of: world.folder.appending("whole.zip"), limit: 1 << 24)
            for broken in [bytes, try cutDirectory(bytes)] {
                let report = try world.salvage(broken)
                #expect(names(report) == Set(all.split(separator: " ").map(String.init)), "\(command)")
            }
        }
    }

    // MARK: Archives in archives

    private static let nested = """
        inner = io.BytesIO()
        make(inner, [(chat, b"inner chat"), (agent, b"inner agent"), (media("in"), some(5000))])
        inner = inner.getvalue()
        make("whole.zip", [(chat, some(30000)), (agent, some(9000)), (media("backup"), inner),
                           (media("z"), some(4000))])
        """

    @Test(.enabled(if: OtherProgram.isThere("python3")))
    func `an archive that was sent as a file is a file, whole or not, with a directory or without`()
        throws
    {
        let bytes = try world.python(Self.nested)
        let parts = try ArchiveParts(bytes)
        let original = try world.contents(ofWhole: bytes)
        let backup = try parts.range(of: "simplex_v1_files/backup.jpg")
        #expect(names(try world.salvage(bytes)) == Set(original.keys))
        #expect(names(try world.salvage(try cutDirectory(bytes))) == Set(original.keys))
        var broken = bytes
        // In the media file of the inner archive, and in its own header.
        for offset in [backup.lowerBound + 400, backup.lowerBound + 3] {
            broken = bytes
            broken[offset] ^= 1
            for file in [broken, try cutDirectory(broken)] {
                // Without header and directory nothing is left that says what it was.
                guard offset != backup.lowerBound + 3 || file.count == bytes.count else { continue }
                let report = try world.salvage(file)
                #expect(try world.contents(of: world.out)[BrokenArchive.chat] == original[BrokenArchive.chat])
                #expect(!report.kept.contains { $0.name == "simplex_v1_files/in.jpg" })
            }
        }
        // Cut inside of the inner archive, and right behind its end record.
        for cut in [backup.upperBound - 300, backup.upperBound - 1, backup.upperBound] {
            let report = try world.salvage(Array(bytes[..<cut]))
            let saved = try world.contents(of: world.out)
            #expect(saved[BrokenArchive.chat] == original[BrokenArchive.chat], "cut at \(cut)")
            #expect(!report.kept.contains { $0.name == "simplex_v1_files/in.jpg" }, "cut at \(cut)")
            if cut < backup.upperBound - 100 {
                #expect(report.inside.contains { $0.name == BrokenArchive.chat })
            }
        }
    }

    @Test(.enabled(if: OtherProgram.isThere("python3")))
    func `names that lead elsewhere, and what is no part of an account, are left out`() throws {
        let bytes = try world.python(
            """
            make("whole.zip", [(chat, b"c"), (agent, b"a"), ("../evil", b"x"), ("other.txt", b"y"),
                               ("simplex_v1_files/CON", b"z"), (media("A"), b"1"), (media("a"), b"2")])
            """)
        let report = try world.salvage(bytes)
        #expect(report.others == ["other.txt"])
        #expect(
            Set(report.lost.map(\.name)) == ["../evil", "simplex_v1_files/CON", "simplex_v1_files/a.jpg"])
        #expect(!report.isComplete)
    }

    // MARK: Hostile files

    @Test(
        .enabled(if: OtherProgram.isThere("python3")),
        arguments: [
            "b'PK\\3\\4' * 500000",
            // Headers that each claim all that follows.
            "b''.join(struct.pack('<IHHHHHIIIHH', 0x04034b50, 20, 0, 0, 0, 0, 1, 1 << 20, 1 << 20, 20, 0) "
                + "+ b'simplex_v1_files/abc' for _ in range(40000))",
            // The same without sizes, stored and deflated.
            "b''.join(struct.pack('<IHHHHHIIIHH', 0x04034b50, 20, 8, m, 0, 0, 0, 0, 0, 20, 0) "
                + "+ b'simplex_v1_files/abc' for _ in range(20000) for m in (0, 8))",
            "b'PK\\5\\6' + b'\\0' * 8 + b'\\xff\\xff\\x0f\\0' * 100000",
            "b'PK\\1\\2' * 500000",
            "b''.join(struct.pack('<IHHHHIIH', 0x06054b50, 0, 0, 9, 9, i * 20, 0, 0) for i in range(50000))",
        ]) func `a file full of signatures ends, after an amount of work in proportion to its size`(
            content: String
        ) throws
    {
        let bytes = try world.python("open('whole.zip', 'wb').write(\(content))")
        try FileSystem().replace(world.broken, with: bytes)
        let source = CountingSource(try FileSource(world.broken))
        let scan = try ZipScan(source)
        #expect(!scan.entries.contains { $0.state == .intact })
        // Windows of a header's size are read around each place that is looked at.
        #expect(source.count <= 40 * Int64(bytes.count) + 4 << 20, "\(source.count) of \(bytes.count)")
    }

    @Test(.enabled(if: OtherProgram.isThere("python3")))
    func `a damaged bomb is not unpacked`() throws {
        let bytes = try world.python(
            """
            make("whole.zip", [(chat, bytes(60 << 20)), (media("a"), b"a")], 8)
            data = bytearray(open("whole.zip", "rb").read())
            for sign, at in ((b"PK\\x03\\x04", 14), (b"PK\\x01\\x02", 16)): data[data.index(sign) + at] ^= 1
            open("whole.zip", "wb").write(data)
            """)
        for broken in [bytes, try cutDirectory(bytes)] {
            let report = try world.salvage(broken)
            #expect(report.databases[0].state == .keptDamaged)
            #expect(report.databases[0].damagedSize ?? .max <= 17 << 20)
            #expect(report.kept.map(\.name) == ["simplex_v1_files/a.jpg"])
        }
    }
}

/// Counts what is read.
final class CountingSource: ByteSource, @unchecked Sendable {
    private let source: FileSource
    private(set) var count: Int64 = 0
    var size: Int64 { source.size }
    var path: FilePath { source.path }

    init(_ source: FileSource) { self.source = source }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let read = try source.read(into: buffer, at: offset)
        count += Int64(read)
        return read
    }
}
