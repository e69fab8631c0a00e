import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseArchives
import ValiseFiles

/// What an image says is what a writer writes.
struct ZipImageTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private typealias Content = (name: String, bytes: [UInt8])

    private func contents(_ random: inout SeededGenerator) -> [Content] {
        let block = 1 << 20
        var sizes = [
            0, 1, 4095, 4096, 4097, block - 1, block, block + 1, 2 * block, 2 * block + 1, 3_333_333,
        ]
        sizes += (0..<40).map { _ in Int.random(in: 0...20_000, using: &random) }
        sizes.shuffle(using: &random)
        return sizes.enumerated().map { number, size in
            ("a/ü 🎒 " + String(repeating: "長", count: number) + "\(number)", mixedContent(size, &random))
        }
    }

    private func write(_ contents: [Content]) throws -> [UInt8] {
        let path = folder.appending("a.zip")
        let writer = try ZipWriter(try fileSystem.create(path), isReproducible: true)
        for (name, bytes) in contents { try writer.add(name, bytes, method: .stored) }
        _ = try writer.finish()
        return try fileSystem.contents(of: path, limit: 1 << 30)
    }

    private func image(_ contents: [Content]) throws -> ZipImage {
        var image = ZipImage()
        for (name, bytes) in contents {
            let checksum = bytes.withUnsafeBytes { Checksum($0).value }
            try image.add(name, size: Int64(bytes.count), checksum: checksum)
        }
        return image
    }

    private func read(_ image: ZipImage, _ contents: [Content], at offset: Int64, _ count: Int) throws
        -> [UInt8]
    {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try image.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset) {
                #expect(!$1.isEmpty)
                $1.copyBytes(from: contents[$0].bytes[Int($2)..<Int($2) + $1.count])
            }
        }
    }

    @Test func `its bytes are those that a writer writes`() throws {
        print("seed of the contents: \(ZipContentsTests.seed)")
        var random = SeededGenerator(seed: ZipContentsTests.seed)
        let contents = contents(&random)
        let (written, image) = (try write(contents), try image(contents))
        #expect(image.size == Int64(written.count))
        #expect(image.count == contents.count)
        #expect((0..<image.count).map { image[$0].name } == contents.map(\.name))
        let isEqual = try read(image, contents, at: 0, written.count) == written
        #expect(isEqual)
        // Also past the end.
        let isFullAtTheEnd = try read(image, contents, at: 0, written.count + 10) == written
        #expect(isFullAtTheEnd)
    }

    @Test func `it is read at any place`() throws {
        print("seed of the contents: \(ZipContentsTests.seed)")
        var random = SeededGenerator(seed: ZipContentsTests.seed)
        let contents = contents(&random)
        let (written, image) = (try write(contents), try image(contents))
        for _ in 0..<3000 {
            let start = Int.random(in: 0...written.count, using: &random)
            // Mostly of a few bytes, so that they end and begin in the midst of headers.
            let count = Int.random(in: 0...(Bool.random(using: &random) ? 70 : 200_000), using: &random)
            let isEqual =
                try read(image, contents, at: Int64(start), count)
                == Array(written[start..<min(written.count, start + count)])
            #expect(isEqual, "\(count) bytes at \(start)")
        }
        // The end has all small records: byte by byte.
        for start in max(0, written.count - 9000)...written.count {
            let isEqual = try read(image, contents, at: Int64(start), 3) == Array(written[start...].prefix(3))
            #expect(isEqual, "at \(start)")
        }
        for outside in [-1, Int64.min, image.size, image.size + 1, .max] {
            #expect(try read(image, contents, at: outside, 5).isEmpty)
        }
    }

    @Test(arguments: [0, 1, 65_534, 65_535, 65_536, 70_000])
    func `few and many entries`(count: Int) throws {
        let contents = (0..<count).map { (name: "\($0)", bytes: [UInt8](repeating: 7, count: $0 % 3)) }
        let (written, image) = (try write(contents), try image(contents))
        let isEqual = try read(image, contents, at: 0, written.count + 1) == written
        #expect(isEqual)
    }

    /// A writer that is told of a size begins the entry for it, whatever comes then.
    @Test(arguments: [-1, 0, 1, 32 << 20, 1 << 33])
    func `a local header is wide from the size on from which a writer's is`(more: Int64) throws {
        let size = Int64(UInt32.max) - (32 << 20) + more
        let path = folder.appending("a.zip")
        let writer = try ZipWriter(try fileSystem.create(path), isReproducible: true)
        var left = 2
        try writer.add("é", size: size, modificationTime: 0, method: .stored) { buffer in
            left -= 1
            return left < 0 ? 0 : buffer.count
        }
        _ = try writer.finish()
        var image = ZipImage()
        try image.add("é", size: size, checksum: 1)
        let count = 30 + 2 + (more >= 0 ? 20 : 0)
        let written = try fileSystem.openForReading(path).bytes(at: 0, count: count)
        var isHeaderOnly = false
        let made = try [UInt8](unsafeUninitializedCapacity: count + 1) { buffer, filled in
            filled = try image.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0) { _, part, position in
                // What follows the header is the content's first byte.
                isHeaderOnly = part.count == 1 && position == 0
                part[0] = 0
            }
        }
        #expect(Array(made.prefix(count)) == written)
        #expect(isHeaderOnly)
    }

    /// In a file with holes, which takes no space.
    @Test func `entries and offsets beyond 4 GiB are found by others`() throws {
        let size: Int64 = (4 << 30) + 5
        var image = ZipImage()
        for number in 0..<2 { try image.add("zeros \(number)", size: size, checksum: 0) }
        let last = Array("the last".utf8)
        try image.add("last", size: 8, checksum: last.withUnsafeBytes { Checksum($0).value })
        let path = folder.appending("a.zip")
        let file = try fileSystem.create(path)
        try file.truncate(to: image.size)
        // Where the entries end, the headers lie.
        for offset in [0, size - 50, 2 * size - 100, image.size - 4000] {
            var bytes = [UInt8](repeating: 0, count: 4000)
            let count = try bytes.withUnsafeMutableBytes {
                try image.read(into: $0, at: offset) { index, part, position in
                    if index == 2 {
                        part.copyBytes(from: last[Int(position)...].prefix(part.count))
                    } else {
                        part.initializeMemory(as: UInt8.self, repeating: 0)
                    }
                }
            }
            try bytes.withUnsafeBytes {
                try file.write(UnsafeRawBufferPointer(rebasing: $0[..<count]), at: offset)
            }
        }
        let index = try ZipIndex(try fileSystem.openForReading(path))
        #expect(index.entries.map(\.size) == [size, size, 8])
        var read: [UInt8] = []
        try ZipContents(index, try FileSource(path)).read(index.entries[2]) { read += $0 }
        #expect(read == last)
        guard let python = OtherProgram("python3") else { return }
        let script = """
            import zipfile
            z = zipfile.ZipFile('a.zip')
            assert [i.file_size for i in z.infolist()] == [\(size), \(size), 8]
            assert z.read('last') == b'the last'
            assert z.open('zeros 1').read(10) == bytes(10)
            """
        #expect(try python.run(["-c", script], in: folder.path.string).status == 0)
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["VALISE_SOAK"] != nil))
    func `beyond 4 GiB its bytes are those that a writer writes`() throws {
        let disk = try TemporaryFolder()
        let sizes = [(4 << 30) - (32 << 20), (4 << 30) - (32 << 20) - 1, 9, (4 << 30) + 5, 0]
        let path = disk.appending("a.zip")
        let writer = try ZipWriter(try fileSystem.create(path), isReproducible: true)
        var image = ZipImage()
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        for (number, size) in sizes.enumerated() {
            try writer.add("\(number)", size: Int64(size), modificationTime: 0, method: .stored) { buffer in
                buffer.initializeMemory(as: UInt8.self, repeating: 0)
                return buffer.count
            }
            var checksum = Checksum()
            for start in stride(from: 0, to: size, by: zeros.count) {
                zeros[..<min(zeros.count, size - start)].withUnsafeBytes { checksum.update($0) }
            }
            try image.add("\(number)", size: Int64(size), checksum: checksum.value)
        }
        #expect(try writer.finish() == image.size)
        let written = try FileSource(path)
        var (left, right) = (zeros, zeros)
        for offset in stride(from: Int64(0), to: image.size, by: zeros.count) {
            let count = try left.withUnsafeMutableBytes { try written.read(into: $0, at: offset) }
            let made = try right.withUnsafeMutableBytes {
                try image.read(into: $0, at: offset) { _, part, _ in
                    part.initializeMemory(as: UInt8.self, repeating: 0)
                }
            }
            let isEqual = count == made && left == right
            try #require(isEqual, "at \(offset)")
        }
    }

    @Test func `what no archive can have is refused`() throws {
        var image = ZipImage()
        #expect(throws: ZipError.self) {
            try image.add(String(repeating: "é", count: 32_768), size: 0, checksum: 0)
        }
        for size in [-1, Int64.max] {
            #expect(throws: ZipError.self) { try image.add("a", size: size, checksum: 0) }
        }
        #expect(image.count == 0)
    }
}
