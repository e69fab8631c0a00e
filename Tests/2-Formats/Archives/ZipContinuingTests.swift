import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseArchives
import ValiseFiles

/// A zip that one writer begins and another one completes.
struct ZipContinuingTests {
    private typealias Content = (name: String, bytes: [UInt8], method: ZipMethod)

    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()
    private let contents: [Content]

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        print("seed of the contents: \(ZipContentsTests.seed)")
        var random = SeededGenerator(seed: ZipContentsTests.seed)
        let block = 1 << 20
        let sizes = [0, 1, 4095, block, block + 1, 60_000, 2 * block + 17, 100]
        contents = sizes.enumerated().flatMap { number, size in
            [ZipMethod.stored, .deflated].map { method in
                ("\(number) \(method)", mixedContent(size, &random), method)
            }
        }
    }

    private var path: FilePath { folder.appending("a.zip") }

    /// All of it by one writer.
    private func whole() throws -> (bytes: [UInt8], entries: [ZipWrittenEntry]) {
        var entries: [ZipWrittenEntry] = []
        let path = folder.appending("whole.zip")
        if try fileSystem.exists(path) { try fileSystem.remove(path) }
        let writer = try ZipWriter(try fileSystem.create(path), level: 5) { entries.append($0) }
        for (name, bytes, method) in contents { try writer.add(name, bytes, method: method) }
        _ = try writer.finish()
        return (try fileSystem.contents(of: path, limit: 1 << 30), entries)
    }

    @Test func `continued behind each entry, it has the bytes of one that was not interrupted`() throws {
        let (bytes, entries) = try whole()
        #expect(entries.map(\.name) == contents.map(\.name))
        #expect(entries.map(\.size) == contents.map { Int64($0.bytes.count) })
        for count in 1...contents.count {
            // What is behind them is of nobody, and longer than what belongs there.
            let kept = Array(bytes[..<Int(entries[count - 1].end)])
            var left: [UInt8] = [9]
            left += kept.dropFirst()
            left += [UInt8](repeating: 7, count: bytes.count)
            try fileSystem.replace(path, with: left)
            let writer = try ZipWriter(try fileSystem.openForUpdating(path), level: 5)
            // The first one is written anew, as databases are.
            try writer.add(contents[0].name, contents[0].bytes, method: contents[0].method)
            #expect(try writer.settle() == entries[0].end)
            let check = ZipWrittenCheck(try FileSource(path))
            for entry in entries[1..<count] {
                let read = try ZipWrittenEntry(encoded: entry.encoded[...])
                #expect(try check.isIntact(read) { _ in })
                #expect(writer.adopt(read))
            }
            writer.continueBehindAdopted()
            for (name, bytes, method) in contents[count...] { try writer.add(name, bytes, method: method) }
            #expect(try writer.finish() == Int64(bytes.count))
            #expect(try fileSystem.contents(of: path, limit: 1 << 30) == bytes, "\(count) entries")
        }
    }

    @Test func `an entry of which any byte changed is not intact`() throws {
        let (bytes, entries) = try whole()
        try fileSystem.replace(path, with: bytes)
        let file = ParallelWriter(try fileSystem.openForUpdating(path))
        func write(_ byte: UInt8, at place: Int) throws {
            try [byte].withUnsafeBytes { try file.write($0, at: Int64(place)) }
        }
        let check = ZipWrittenCheck(try FileSource(path))
        var random = SeededGenerator(seed: ZipContentsTests.seed)
        for entry in entries {
            let range = Int(entry.offset)..<Int(entry.end)
            let others = (0..<20).map { _ in Int.random(in: range, using: &random) }
            for place in [range.lowerBound, range.upperBound - 1] + others {
                try write(bytes[place] ^ 1 << UInt8.random(in: 0..<8, using: &random), at: place)
                #expect(try !check.isIntact(entry) { _ in }, "\(entry.name), \(place)")
                try write(bytes[place], at: place)
            }
            #expect(try check.isIntact(entry) { _ in })
        }
        // One that is cut.
        let last = try #require(entries.last)
        try fileSystem.replace(path, with: Array(bytes[..<Int(last.end - 1)]))
        #expect(try !ZipWrittenCheck(try FileSource(path)).isIntact(last) { _ in })
    }

    @Test func `an entry that does not follow is not taken over`() throws {
        let (_, entries) = try whole()
        let writer = try ZipWriter(try fileSystem.create(path), level: 5)
        #expect(try writer.settle() == 0)
        #expect(!writer.adopt(entries[1]))
        #expect(writer.adopt(entries[0]) && !writer.adopt(entries[0]) && writer.adopt(entries[1]))
    }

    @Test func `records that are cut or that no archive has are refused`() throws {
        let (_, entries) = try whole()
        let encoded = entries[3].encoded
        for count in 0..<(encoded.count - entries[3].name.utf8.count) {
            #expect(throws: (any Error).self) { try ZipWrittenEntry(encoded: encoded[..<count]) }
        }
        for place in [0, 8, 16] {
            var hostile = encoded
            hostile[place] = 0xff
            #expect(throws: ZipError.self) { try ZipWrittenEntry(encoded: hostile[...]) }
        }
    }

    /// What flushes told, and what was in the file then.
    private final class FlushLog: Sendable {
        private let path: FilePath
        private let lines = Mutex<[(told: Int64, size: Int64)]>([])

        init(_ path: FilePath) { self.path = path }

        var found: [(told: Int64, size: Int64)] { lines.withLock { $0 } }

        func add(_ told: Int64) {
            let size = (try? FileSystem().attributes(of: path)?.size) ?? 0
            lines.withLock { $0.append((told: told, size: size)) }
        }
    }

    @Test func `what a flush says to be durable is in the file then, and is whole entries`() throws {
        var entries: [ZipWrittenEntry] = []
        let writer = try ZipWriter(try fileSystem.create(path), level: 5) { entries.append($0) }
        let log = FlushLog(path)
        for (name, bytes, method) in contents {
            try writer.add(name, bytes, method: method)
            writer.flush { told in
                return { log.add(told) }
            }
        }
        _ = try writer.settle()
        writer.flush(isLast: true) { told in
            return { log.add(told) }
        }
        writer.wait()
        let found = log.found
        #expect(found.count == contents.count + 1)
        #expect(found.allSatisfy { $0.told == $0.size })
        #expect(entries.count == contents.count && found.last?.told == entries.last?.end)
        let check = ZipWrittenCheck(try FileSource(path))
        for entry in entries { #expect(try check.isIntact(entry) { _ in }) }
    }

    @Test func `behind a write or a flush that failed nothing is said to be durable`() throws {
        var outcomes: Set<Bool> = []
        for position in 2...9 {
            let path = folder.appending("\(position).zip")
            let plan = FaultPlan(.crash, at: position)
            let writer = try ZipWriter(try FileSystem(interposer: plan).create(path), level: 5)
            for (name, bytes, method) in contents.prefix(6) { try? writer.add(name, bytes, method: method) }
            _ = try? writer.settle()
            let log = FlushLog(path)
            writer.flush(isLast: true) { told in
                return { log.add(told) }
            }
            writer.wait()
            #expect(log.found.isEmpty == plan.wasReached, "operation \(position)")
            outcomes.insert(plan.wasReached)
        }
        #expect(outcomes == [true, false])
    }
}
