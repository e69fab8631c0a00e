import FaultInjection
import SystemPackage
import Testing
import ValiseConcurrency
import ValiseEncoding
import ValiseFiles

@testable import ValiseMounting

struct BlockCacheTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws { folder = try TemporaryFolder("valise-cache", inMemory: true) }

    private static func block(_ number: Int, _ count: Int = 100_000) -> [UInt8] {
        Array("block \(number) of the user's letters; ".utf8)
            + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count)
    }

    private static func key(_ number: Int) -> BlockKey {
        BlockKey(version: [1, 2, 3], number: Int64(number))
    }

    private func files(_ cache: BlockCache) throws -> [[UInt8]] {
        try fileSystem.list(cache.path).compactMap(\.name).map {
            try fileSystem.contents(of: cache.path.appending($0), limit: 1 << 24)
        }
    }

    @Test func `it gives what it got, and no more than it may have is on disk`() throws {
        let cache = try BlockCache(in: folder.appending("c"), capacity: 40_000_000)
        for number in 0..<1000 { cache.add(Self.block(number), Self.key(number)) }
        let sizes = try files(cache).map { Int64($0.count) }
        #expect(sizes.reduce(0, +) <= 40_000_000 && cache.size <= 40_000_000 && sizes.count > 300)
        #expect(cache.failure == nil)
        var found = 0
        for number in 0..<1000 {
            guard let block = cache.block(Self.key(number)) else { continue }
            found += 1
            #expect(block == Self.block(number))
        }
        #expect(found >= 380 && found <= 400)
        #expect(cache.block(Self.key(999)) != nil && cache.block(Self.key(0)) == nil)
        #expect(cache.block(BlockKey(version: [1, 2], number: 999)) == nil)
    }

    @Test func `what is used stays`() throws {
        let cache = try BlockCache(in: folder.appending("c"), capacity: 40_000_000)
        for number in 0..<1000 {
            cache.add(Self.block(number), Self.key(number))
            #expect(cache.block(Self.key(0)) == Self.block(0))
        }
    }

    @Test func `nothing on disk can be read`() throws {
        let cache = try BlockCache(in: folder.appending("c"), capacity: 100 << 20)
        for number in 0..<20 { cache.add(Self.block(number), Self.key(number)) }
        let files = try files(cache)
        #expect(files.count == 20 && Set(files).count == 20)
        for file in files {
            let isReadable = file.withUnsafeBytes { ByteSearch.contains($0, Array("letters".utf8)) }
            #expect(!isReadable)
        }
        // What was one byte over and over is noise.
        #expect(Set(files[0]).count == 256)
        let attributes = try #require(try fileSystem.attributes(of: cache.path))
        #expect(attributes.permissions == .ownerReadWriteExecute)
        // The same content twice is not the same on disk.
        let other = try BlockCache(in: folder.appending("c"), capacity: 100 << 20)
        for number in 0..<20 { other.add(Self.block(number), Self.key(number)) }
        #expect(Set(files).isDisjoint(with: try self.files(other)))
    }

    @Test func `a file that was changed, exchanged or removed is one that has to be fetched again`() throws {
        let cache = try BlockCache(in: folder.appending("c"), capacity: 1 << 30)
        let large = 4 << 20
        // Enough of them that the first ones are on disk alone.
        for number in 0..<12 { cache.add(Self.block(number, large), Self.key(number)) }
        let names = try fileSystem.list(cache.path).compactMap(\.name).sorted {
            (Int($0, radix: 36) ?? 0) < (Int($1, radix: 36) ?? 0)
        }
        let paths = names.map { cache.path.appending($0) }
        var bytes = try fileSystem.contents(of: paths[0], limit: 1 << 24)
        bytes[bytes.count / 2] ^= 1
        try fileSystem.replace(paths[0], with: bytes)
        let (second, third) = (
            try fileSystem.contents(of: paths[1], limit: 1 << 24),
            try fileSystem.contents(of: paths[2], limit: 1 << 24)
        )
        try fileSystem.replace(paths[1], with: Array(third.prefix(second.count)))
        try fileSystem.remove(paths[2])
        try fileSystem.replace(paths[3], with: [])
        for number in 0..<4 { #expect(cache.block(Self.key(number)) == nil, "\(number)") }
        #expect(cache.failure != nil)
        #expect(cache.block(Self.key(4)) == Self.block(4, large))
        cache.add(Self.block(0, large), Self.key(0))
        #expect(cache.block(Self.key(0)) == Self.block(0, large))
    }

    @Test func `it leaves nothing, and takes away what a killed program left`() throws {
        let parent = folder.appending("c")
        let left = parent.appending("valise-cache-1a2b3c")
        try fileSystem.makeDirectories(left)
        try fileSystem.replace(left.appending("7"), with: [1, 2, 3])
        try fileSystem.makeDirectories(parent.appending("photos"))
        try fileSystem.replace(parent.appending("valise-cache-file"), with: [1])
        let cache = try BlockCache(in: parent, capacity: 1 << 20)
        #expect(try !fileSystem.exists(left))
        cache.add(Self.block(1), Self.key(1))
        // One that is alive is left alone.
        let other = try BlockCache(in: parent, capacity: 1 << 20)
        #expect(try files(cache).count == 1)
        #expect(cache.path != other.path)
        cache.close()
        other.close()
        #expect(cache.block(Self.key(1)) == nil)
        cache.add(Self.block(1), Self.key(1))
        #expect(cache.block(Self.key(1)) == nil || cache.size == 0)
        #expect(try fileSystem.list(parent).compactMap(\.name) == ["photos", "valise-cache-file"])
        do { _ = try BlockCache(in: parent, capacity: 1 << 20) }
        #expect(try fileSystem.list(parent).count == 2)
    }

    @Test func `a full disk is no failure of what is read`() throws {
        let plan = FullDisk()
        let cache = try BlockCache(
            in: folder.appending("c"), capacity: 1 << 30, fileSystem: FileSystem(interposer: plan))
        for number in 0..<400 { cache.add(Self.block(number), Self.key(number)) }
        #expect(cache.failure != nil && cache.size == 0)
        #expect(cache.block(Self.key(399)) == Self.block(399), "the last ones are in memory")
        #expect(cache.block(Self.key(0)) == nil)
        #expect(try files(cache).isEmpty)
    }

    @Test func `several threads use it at once`() throws {
        let cache = try BlockCache(in: folder.appending("c"), capacity: 3_000_000)
        try ParallelBatches.run(count: 2000, workers: 8) {
        } work: { _, number in
            let wanted = number % 60
            if let block = cache.block(Self.key(wanted)) {
                #expect(block == Self.block(wanted))
            } else {
                cache.add(Self.block(wanted), Self.key(wanted))
            }
        }
        #expect(cache.size <= 3_000_000)
        #expect(Int64(try files(cache).reduce(0) { $0 + $1.count }) <= 3_000_000)
    }
}

/// Refuses each write.
private struct FullDisk: FileInterposer {
    func verdict(on operation: FileOperation) -> FileOperationVerdict {
        if case .write = operation { .fail(.noSpace) } else { .proceed }
    }
}
