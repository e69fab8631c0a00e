import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseArchives
import ValiseFiles

/// What we write: read by other programs and by our own strict reader, and the same bytes every time.
struct ZipWriterTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private typealias Content = (name: String, bytes: [UInt8], method: ZipMethod)

    /// Sizes around the cuts, names of several scripts.
    private func contents(_ random: inout SeededGenerator) -> [Content] {
        let block = 1 << 20
        var sizes = [0, 1, 2, block - 1, block, block + 1, 2 * block, 3 * block + 12_345]
        sizes += (0..<40).map { _ in Int.random(in: 0...60_000, using: &random) }
        sizes.shuffle(using: &random)
        return sizes.enumerated().flatMap { number, size in
            [ZipMethod.stored, .deflated].map { method in
                ("\(method)/é 🎒 \(number)", mixedContent(size, &random), method)
            }
        }
    }

    private func write(
        _ contents: [Content], to name: String, workers: Int = 3, isReproducible: Bool = false,
        time: Int64 = 1_700_000_000
    ) throws -> FilePath {
        let path = folder.appending(name)
        let writer = try ZipWriter(
            try fileSystem.create(path), level: 5, isReproducible: isReproducible, workers: workers)
        for (name, bytes, method) in contents {
            try writer.add(name, bytes, method: method, modificationTime: time)
        }
        let size = try writer.finish()
        #expect(size == (try fileSystem.attributes(of: path)?.size))
        return path
    }

    /// One archive for all the programs that are to accept it.
    private static let accepted = Result {
        let tests = try ZipWriterTests()
        var random = SeededGenerator(seed: ZipContentsTests.seed)
        let path = try tests.write(tests.contents(&random), to: "a.zip")
        let kept = try TemporaryFolder.untilExit("valise-zip").appending("a.zip")
        try FileSystem().rename(path, to: kept)
        return kept.parentFolder
    }

    private func bytes(_ path: FilePath) throws -> [UInt8] {
        try fileSystem.contents(of: path, limit: 1 << 30)
    }

    private func expectContents(_ path: FilePath, _ contents: [Content]) throws {
        let index = try ZipIndex(try fileSystem.openForReading(path), limits: ZipLimits(ratio: 2000))
        let zip = ZipContents(index, try FileSource(path))
        #expect(index.entries.map(\.name) == contents.map(\.name))
        #expect(index.entries.map(\.method) == contents.map(\.method))
        #expect(try zip.check().map(\.error.message) == [])
        for (entry, content) in Swift.zip(index.entries, contents) {
            var read: [UInt8] = []
            try zip.read(entry) { read += $0 }
            #expect(read == content.bytes, "\(entry.name)")
        }
    }

    @Test func `what is written is read`() throws {
        print("seed of the contents: \(ZipContentsTests.seed)")
        var random = SeededGenerator(seed: ZipContentsTests.seed)
        let contents = contents(&random)
        try expectContents(try write(contents, to: "a.zip"), contents)
    }

    @Test func `the number of cores changes no byte`() throws {
        print("seed of the contents: \(ZipContentsTests.seed)")
        var random = SeededGenerator(seed: ZipContentsTests.seed)
        let contents = contents(&random)
        let first = try bytes(try write(contents, to: "1.zip", workers: 1))
        for workers in [2, 7, 16] {
            #expect(try bytes(try write(contents, to: "\(workers).zip", workers: workers)) == first)
        }
    }

    @Test func `a reproducible archive does not tell when it was made`() throws {
        var random = SeededGenerator(seed: 3)
        let contents = Array(contents(&random).prefix(10))
        let first = try bytes(try write(contents, to: "1.zip", isReproducible: true, time: 1_000_000_000))
        #expect(
            try bytes(try write(contents, to: "2.zip", isReproducible: true, time: 1_700_000_001)) == first)
        #expect(try bytes(try write(contents, to: "3.zip", time: 1_700_000_001)) != first)
    }

    static let peers: [(name: String, arguments: [String])] = [
        ("unzip", ["-tq", "a.zip"]),
        ("bsdtar", ["-xOf", "a.zip"]),
        ("7z", ["t", "a.zip"]),
        ("zip", ["-T", "a.zip"]),
        (
            "python3",
            ["-c", "import sys, zipfile; sys.exit(zipfile.ZipFile('a.zip').testzip() is not None)"]
        ),
    ]

    @Test(arguments: peers.map(\.name))
    func `other programs accept it`(_ name: String) throws {
        let peer = try #require(Self.peers.first { $0.name == name })
        guard let tool = OtherProgram(name) else {
            print("\(name) is not installed and not tested")
            return
        }
        #expect(try tool.run(peer.arguments, in: Self.accepted.get().string).status == 0)
    }

    @Test func `others see times, modes and names as they were given`() throws {
        guard let python = OtherProgram("python3") else { return }
        _ = try write([("ü.txt", [1, 2, 3], .deflated), ("b", [], .stored)], to: "a.zip")
        let script = """
            import zipfile
            z = zipfile.ZipFile('a.zip')
            a, b = z.infolist()
            assert (a.filename, b.filename) == ('ü.txt', 'b')
            for i in (a, b):
                assert i.external_attr == 0o100600 << 16 and i.create_system == 3
                assert i.extra == b'UT\\x05\\x00\\x01' + (1700000000).to_bytes(4, 'little'), i.extra
                assert i.date_time[0] == 2023 and not i.flag_bits & 8
            """
        #expect(try python.run(["-c", script], in: folder.path.string).status == 0)
    }

    @Test func `packed entries are copied as they are`() throws {
        var random = SeededGenerator(seed: ZipContentsTests.seed)
        let contents = contents(&random)
        let first = try write(contents, to: "first.zip", isReproducible: true)
        let index = try ZipIndex(try fileSystem.openForReading(first), limits: ZipLimits(ratio: 2000))
        let source = try FileSource(first)
        let path = folder.appending("a.zip")
        let writer = try ZipWriter(try fileSystem.create(path), isReproducible: true)
        for entry in index.entries {
            try writer.addPacked(
                entry.name, try entry.packedSource(in: source), method: entry.method, size: entry.size,
                checksum: entry.checksum, modificationTime: 0)
        }
        _ = try writer.finish()
        try expectContents(path, contents)
        for peer in Self.peers {
            guard let tool = OtherProgram(peer.name) else { continue }
            #expect(try tool.run(peer.arguments, in: folder.path.string).status == 0, "\(peer.name)")
        }
    }

    /// Fails behind its first bytes.
    private final class FailingSource: ByteSource {
        let path: FilePath = "failing"
        let size: Int64
        private let whole: Int64

        init(size: Int64, whole: Int64) { (self.size, self.whole) = (size, whole) }

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
            guard offset + Int64(buffer.count) <= whole else { throw Unreadable() }
            buffer.initializeMemory(as: UInt8.self, repeating: 7)
            return buffer.count
        }
    }

    @Test(arguments: [(1 << 20, 1000, true), (5_000_000, 4_000_000, false)] as [(Int64, Int64, Bool)])
    func `a packed source that fails leaves nothing, or ends the archive`(
        size: Int64, whole: Int64, goesOn: Bool
    ) throws {
        let path = folder.appending("a.zip")
        let writer = try ZipWriter(try fileSystem.create(path))
        // So much that the next one does not fit behind it in memory.
        let first = [UInt8](repeating: 1, count: 1_900_000)
        try writer.add("first", first, method: .stored)
        #expect(throws: Unreadable.self) {
            try writer.addPacked(
                "bad", FailingSource(size: size, whole: whole), method: .stored, size: size, checksum: 0,
                modificationTime: 0)
        }
        guard goesOn else {
            #expect(throws: ZipError.self) { try writer.finish() }
            return
        }
        try writer.add("good", [1], method: .stored)
        _ = try writer.finish()
        try expectContents(path, [("first", first, .stored), ("good", [1], .stored)])
    }

    /// Growth is limited for entries of more than 16 MiB; what we write is below it whatever the content.
    @Test(arguments: [1, 6, 9])
    func `an entry of nothing but zeros is no zip bomb to ourselves`(level: Int) throws {
        let size = Int64(50 << 20) + 3
        let path = folder.appending("a.zip")
        let writer = try ZipWriter(try fileSystem.create(path), level: level)
        var left = size
        try writer.add("zeros", size: size, modificationTime: 0, method: .deflated) { buffer in
            let count = Int(min(left, Int64(buffer.count)))
            UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]).initializeMemory(
                as: UInt8.self, repeating: 0)
            left -= Int64(count)
            return count
        }
        _ = try writer.finish()
        let index = try ZipIndex(try fileSystem.openForReading(path))
        #expect(index.entries.map(\.size) == [size])
        #expect(index.entries[0].compressedSize < size / 100)
        let zip = ZipContents(index, try FileSource(path))
        #expect(try zip.check().isEmpty)
        var read: Int64 = 0
        try zip.read(index.entries[0]) { bytes in
            read += Int64(bytes.count)
            #expect(bytes.allSatisfy { $0 == 0 })
        }
        #expect(read == size)
        for peer in Self.peers {
            guard let tool = OtherProgram(peer.name) else { continue }
            #expect(try tool.run(peer.arguments, in: folder.path.string).status == 0, "\(peer.name)")
        }
    }

    /// Bit 11; without it, a reader may take the name for code page 437.
    @Test func `both headers say that a name is UTF-8`() throws {
        let path = try write([("фото", [1], .stored), ("b", [2], .deflated)], to: "a.zip")
        let bytes = try bytes(path)
        for (signature, place) in [([0x50, 0x4b, 3, 4] as [UInt8], 6), ([0x50, 0x4b, 1, 2], 8)] {
            let starts = bytes.indices.filter { bytes[$0...].starts(with: signature) }
            #expect(starts.count == 2)
            for start in starts { #expect(bytes[start + place + 1] & 8 != 0) }
        }
    }

    private struct Unreadable: Error {}

    @Test(arguments: [ZipMethod.stored, .deflated], [0, 500, 1 << 20, 2_500_000])
    func `a source that shrinks leaves an entry of what came`(method: ZipMethod, count: Int) throws {
        let path = folder.appending("a.zip")
        let writer = try ZipWriter(try fileSystem.create(path))
        var left = count
        let came = try writer.add("shrunk", size: 5_000_000, modificationTime: 0, method: method) { buffer in
            let count = min(left, buffer.count)
            for index in 0..<count { buffer[index] = UInt8(truncatingIfNeeded: index) }
            left -= count
            return count
        }
        #expect(came == Int64(count))
        try writer.add("after", [1, 2, 3], method: .deflated)
        _ = try writer.finish()
        let index = try ZipIndex(try fileSystem.openForReading(path), limits: ZipLimits(ratio: 2000))
        #expect(index.entries.map(\.size) == [Int64(count), 3])
        #expect(try ZipContents(index, try FileSource(path)).check().isEmpty)
    }

    @Test(arguments: [(100, true), (3_000_000, false)])
    func `a source that fails leaves nothing, or ends the archive`(size: Int, goesOn: Bool) throws {
        let path = folder.appending("a.zip")
        let writer = try ZipWriter(try fileSystem.create(path))
        var calls = 0
        #expect(throws: Unreadable.self) {
            try writer.add("bad", size: Int64(size), modificationTime: 0, method: .stored) { buffer in
                calls += 1
                // A whole mebibyte, or half of the small one, comes before.
                if calls == 2 { throw Unreadable() }
                return min(buffer.count, goesOn ? size / 2 : 1 << 20)
            }
        }
        if goesOn {
            try writer.add("good", [1], method: .stored)
            _ = try writer.finish()
            let index = try ZipIndex(try fileSystem.openForReading(path))
            #expect(index.entries.map(\.name) == ["good"])
        } else {
            #expect(throws: ZipError.self) { try writer.add("more", [1], method: .stored) }
            #expect(throws: ZipError.self) { try writer.finish() }
        }
    }

    @Test func `more entries than a zip had room for`() throws {
        let path = folder.appending("a.zip")
        let writer = try ZipWriter(try fileSystem.create(path), level: 1)
        for number in 0..<66_000 { try writer.add("\(number)", [1, 2], method: .stored) }
        _ = try writer.finish()
        let index = try ZipIndex(try fileSystem.openForReading(path))
        #expect(index.entries.count == 66_000)
        #expect(try ZipContents(index, try FileSource(path)).check().isEmpty)
        for (name, arguments) in Self.peers where name == "unzip" || name == "python3" {
            guard let tool = OtherProgram(name) else { continue }
            #expect(try tool.run(arguments, in: folder.path.string).status == 0, "\(name)")
        }
    }

    /// Zeros deflate to a thousandth; what is stored is written to a file without them.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["VALISE_SOAK"] != nil), arguments: [false, true])
    func `entries and offsets beyond 4 GiB`(isStored: Bool) throws {
        let disk = try TemporaryFolder()
        let path = disk.appending("a.zip")
        let writer = try ZipWriter(try fileSystem.create(path), level: 1)
        let size: Int64 = (4 << 30) + 5
        for number in 0..<2 {
            let method: ZipMethod = isStored ? .stored : .deflated
            try writer.add("zeros \(number)", size: size, modificationTime: 0, method: method) { buffer in
                buffer.initializeMemory(as: UInt8.self, repeating: 0)
                return buffer.count
            }
        }
        _ = try writer.finish()
        let index = try ZipIndex(try fileSystem.openForReading(path), limits: ZipLimits(ratio: 2000))
        #expect(index.entries.map(\.size) == [size, size])
        #expect(try ZipContents(index, try FileSource(path)).check().isEmpty)
        for peer in Self.peers where peer.name != "bsdtar" {
            guard let tool = OtherProgram(peer.name) else { continue }
            #expect(try tool.run(peer.arguments, in: disk.path.string).status == 0, "\(peer.name)")
        }
    }
}
