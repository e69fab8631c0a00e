import Fuzzing
import ValiseFiles

@testable import ValiseArchives

/// An archive of anybody's: its structure is checked, its entries are unpacked in order and read at any place.
final class ZipTarget {
    private let scratch = ScratchFile("archive")
    private let fileSystem = FileSystem()

    func run(_ bytes: [UInt8]) {
        scratch.write(bytes)
        guard let index = refusable({ try ZipIndex(try fileSystem.openForReading(scratch.path)) }) else {
            return
        }
        checkNames(index)
        checkPlaces(index, bytes)
        let contents = extract(index)
        var random = FuzzRandom(bytes)
        for entry in index.entries where !entry.isFolder {
            checkContent(entry, index, bytes, contents[entry.name] ?? nil)
            checkReading(entry, MemorySource(bytes), contents[entry.name] ?? nil, &random)
        }
    }

    /// What is refused is refused with an error of the module, or one of the file.
    private func refusable<Result>(_ body: () throws -> Result) -> Result? {
        do {
            return try body()
        } catch {
            FuzzRun.require(error is ZipError || error is FileError, "errors are typed, not \(error)")
            return nil
        }
    }

    private func checkNames(_ index: ZipIndex) {
        var names = FoldedNames()
        for entry in index.entries {
            let checked = try? ZipName.check(Array(entry.name.utf8))
            FuzzRun.require(checked == entry.name, "the name \(entry.name) keeps the rules")
            FuzzRun.require(names.insert(entry.name), "the name \(entry.name) is the only one of its kind")
        }
    }

    /// No two entries share bytes, and none leaves the file.
    private func checkPlaces(_ index: ZipIndex, _ bytes: [UInt8]) {
        var free = 0
        for entry in index.entries.sorted(by: { $0.localOffset < $1.localOffset }) {
            let start = Int(entry.localOffset)
            FuzzRun.require(start >= free, "\(entry.name) starts behind the entry before it")
            FuzzRun.require(start + 30 <= bytes.count, "the header of \(entry.name) lies in the file")
            func length(_ offset: Int) -> Int {
                Int(bytes[start + offset]) | Int(bytes[start + offset + 1]) << 8
            }
            free = start + 30 + length(26) + length(28) + Int(entry.compressedSize)
            FuzzRun.require(free <= bytes.count, "the data of \(entry.name) lie in the file")
        }
        let total = index.entries.reduce(0) { $0 + $1.size }
        FuzzRun.require(index.totalSize == total, "the sizes add up")
    }

    /// What comes of each file: nil where it is told to be damaged.
    private func extract(_ index: ZipIndex) -> [String: [UInt8]?] {
        var contents: [String: [UInt8]?] = [:]
        var current: [UInt8] = []
        _ = refusable {
            try ZipContents(index, FileSource(fileSystem.openForReading(scratch.path))).extract(
                begin: { _ in
                    current = []
                    return true
                },
                consume: { current += $0 },
                end: { entry, outcome in
                    FuzzRun.require(contents[entry.name] == nil, "\(entry.name) ends once")
                    guard case .intact = outcome else {
                        contents[entry.name] = .some(nil)
                        return
                    }
                    FuzzRun.require(
                        current.count == Int(entry.size), "\(entry.name) is as large as it claims")
                    FuzzRun.require(
                        Deflate.checksum(current) == entry.checksum, "\(entry.name) has its checksum")
                    contents[entry.name] = current
                })
        }
        return contents
    }

    /// Both ways to unpack agree, also on what is damaged.
    private func checkContent(
        _ entry: ZipEntry, _ index: ZipIndex, _ bytes: [UInt8], _ expected: [UInt8]?
    ) {
        var content: [UInt8] = []
        let isIntact =
            refusable { try ZipContents(index, MemorySource(bytes)).read(entry) { content += $0 } } != nil
        FuzzRun.require(isIntact == (expected != nil), "\(entry.name) is whole in both ways, or in none")
        FuzzRun.require(!isIntact || content == expected, "\(entry.name) is the same in both ways")
    }

    /// What is read at some places is what was unpacked in order.
    private func checkReading(
        _ entry: ZipEntry, _ archive: MemorySource, _ content: [UInt8]?, _ random: inout FuzzRandom
    ) {
        guard let source = refusable({ try entry.source(in: archive) }) else {
            return FuzzRun.require(content == nil, "\(entry.name) can be read at any place")
        }
        FuzzRun.require(source.size == entry.size, "the source of \(entry.name) has its size")
        var buffer = [UInt8](repeating: 0, count: 1 + random.below(5000))
        for place in [0, Int64(random.below(Int(clamping: entry.size))), entry.size - 1, 0] where place >= 0 {
            let count = refusable {
                try buffer.withUnsafeMutableBytes { try source.read(into: $0, at: place) }
            }
            // libdeflate takes some codes that zlib refuses; size and checksum decide about the content.
            guard let content, let count else { continue }
            let expected = content[Int(place)...].prefix(buffer.count)
            FuzzRun.require(
                count == expected.count && buffer.starts(with: expected),
                "\(entry.name) reads the same at \(place)")
        }
    }
}
