import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseCryptography
import ValiseFiles
import ValiseStorage
import ValiseXFTPWire

@testable import ValiseRelay

/// Makes bytes of one implementation, with nothing in them. A further one is a further element of ``all``; one that needs a server
/// is left out where there is none.
struct BytesFactory: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// How many bodies are listed: more than a server has in one answer.
    var listedCount = 300
    let make: @Sendable () throws -> any ChunkBytes

    static var all: [BytesFactory] { here + (ObjectsFixture.hasServer ? [server] : []) }

    /// Its lists of many pages are tested with its engine.
    private static let server = BytesFactory(testDescription: "objects of S3", listedCount: 120) {
        try ObjectsFixture.onServer()
    }

    private static var here: [BytesFactory] {
        [
            // They keep the folder by their interposer.
            BytesFactory(testDescription: "files on a disk") { try folder(inMemory: false) },
            BytesFactory(testDescription: "files in memory", listedCount: 1200) {
                try folder(inMemory: true)
            },
            BytesFactory(testDescription: "memory, shared names") { MemoryBytes(sharesNames: true) },
            BytesFactory(testDescription: "memory, names of their own") { MemoryBytes(sharesNames: false) },
            BytesFactory(testDescription: "objects in memory") {
                try ObjectsFixture.chunks(MemoryObjectStore())
            },
            BytesFactory(testDescription: "objects in a folder") { try ObjectsFixture.inFolder() },
        ]
    }

    /// Keeps a folder for as long as its bytes are used.
    private struct Keeper: FileInterposer {
        let folder: TemporaryFolder

        func verdict(on operation: FileOperation) -> FileOperationVerdict { .proceed }
    }

    private static func folder(inMemory: Bool) throws -> any ChunkBytes {
        let folder = try TemporaryFolder("valise-bytes", inMemory: inMemory)
        return ChunkFolder(folder.path, fileSystem: FileSystem(interposer: Keeper(folder: folder)))
    }
}

/// What bytes promise, asked of each implementation.
struct ChunkBytesContractTests {
    private static func name(_ bytes: any ChunkBytes, chunk: StoredID = StoredID()) -> BodyName {
        BodyName(chunk: chunk, upload: bytes.sharesNames ? 0 : .random(in: 1 ... .max))
    }

    private static func begin(
        _ bytes: any ChunkBytes, _ name: BodyName, _ content: [UInt8], size: Int? = nil,
        digest: [UInt8]? = nil
    ) throws -> any IncomingBody {
        try bytes.begin(
            name, size: UInt32(size ?? content.count), digest: digest ?? SHA256.hash(content))
    }

    private static func write(_ content: some Collection<UInt8>, to body: any IncomingBody) throws {
        try Array(content).withUnsafeBytes { try body.write($0) }
    }

    @discardableResult
    private static func store(
        _ number: Int, size: Int = 1000, in bytes: any ChunkBytes
    ) throws -> (name: BodyName, content: [UInt8]) {
        let (name, content) = (name(bytes), StoreFixture.content(number, size: size))
        let body = try begin(bytes, name, content)
        for start in stride(from: 0, to: size, by: 4096) {
            try write(content[start..<min(start + 4096, size)], to: body)
        }
        try body.finish()
        try body.publish()
        return (name, content)
    }

    private static func names(_ bytes: any ChunkBytes, after name: BodyName? = nil) throws -> [BodyName] {
        var names: [BodyName] = []
        try bytes.list(after: name) {
            names.append($0.name)
            return true
        }
        return names
    }

    private static func expectNothing(_ bytes: any ChunkBytes, _ comment: Comment) throws {
        #expect(try names(bytes).isEmpty, comment)
        let report = try bytes.takeStock { _ in Issue.record(comment) }
        #expect(report.removedPartials == 0 && report.foreignEntries == 0, comment)
    }

    private static func answer(_ body: () throws -> Void) -> XFTPErrorCode? {
        ChunkRecordsContractTests.answer(body)
    }

    // MARK: Coming in

    @Test(arguments: BytesFactory.all)
    func `a body goes in and comes out, seen when it is published`(factory: BytesFactory) throws {
        let bytes = try factory.make()
        for size in [1, 100, 65_536, 4 << 20] {
            let (name, content) = (Self.name(bytes), StoreFixture.content(size, size: size))
            let body = try Self.begin(bytes, name, content)
            try Self.write(content.prefix(size / 2), to: body)
            try Self.write(content.dropFirst(size / 2), to: body)
            #expect(try bytes.open(name, size: UInt32(size)) == nil)
            try body.finish()
            if bytes.sharesNames { #expect(try bytes.open(name, size: UInt32(size)) == nil) }
            try body.publish()
            #expect(try bytes.content(name, size: UInt32(size)) == content)
            #expect(try bytes.open(name, size: UInt32(size) + 1) == nil, "another size")
            try bytes.remove(name)
        }
        #expect(try bytes.open(Self.name(bytes), size: 100) == nil)
        let places = (0..<100).map { _ in bytes.location(of: BodyName(chunk: StoredID())) }
        #expect(Set(places).count == 100)
    }

    @Test(arguments: BytesFactory.all)
    func `another size or digest than was announced is refused, and nothing is left`(factory: BytesFactory)
        throws
    {
        let bytes = try factory.make()
        let content = StoreFixture.content(1)
        let cases: [(String, [UInt8], Int, [UInt8], XFTPErrorCode)] = [
            ("less", Array(content.dropLast()), 100, SHA256.hash(content), .size),
            ("nothing", [], 100, SHA256.hash(content), .size),
            ("more", content + [0], 100, SHA256.hash(content), .size),
            ("other bytes", Array(content.reversed()), 100, SHA256.hash(content), .digest),
            ("half a digest", content, 100, Array(SHA256.hash(content).prefix(16)), .digest),
            ("no digest", content, 100, [], .digest),
        ]
        for (what, sent, size, digest, expected) in cases {
            let body = try Self.begin(bytes, Self.name(bytes), sent, size: size, digest: digest)
            let answer = Self.answer {
                try Self.write(sent, to: body)
                try body.finish()
            }
            #expect(answer == expected, "\(what)")
            #expect(throws: XFTPStoreError.self, "\(what)") { try body.publish() }
            #expect(throws: XFTPStoreError.self, "\(what)") { try body.finish() }
            #expect(throws: XFTPStoreError.self, "\(what)") { try Self.write([1], to: body) }
            try Self.expectNothing(bytes, "\(what)")
        }
    }

    @Test(arguments: BytesFactory.all)
    func `a body that is cancelled or let go leaves nothing, however far it came`(factory: BytesFactory)
        throws
    {
        let bytes = try factory.make()
        let content = StoreFixture.content(1)
        for stage in 0..<4 {
            for cancels in [true, false] where cancels || stage < 3 {
                var body: (any IncomingBody)? = try Self.begin(bytes, Self.name(bytes), content)
                if stage > 0 { try Self.write(content, to: #require(body)) }
                if stage > 1 { try body?.finish() }
                if stage > 2 { try body?.publish() }
                if cancels {
                    for _ in 0..<2 { try body?.cancel() }
                    #expect(throws: XFTPStoreError.self) { try body?.publish() }
                }
                body = nil
                try Self.expectNothing(bytes, "stage \(stage)")
            }
        }
        let (name, kept) = try Self.store(2, in: bytes)
        #expect(try bytes.content(name, size: 1000) == kept, "one that is published stays when it is let go")
    }

    @Test(arguments: BytesFactory.all)
    func `uploads that share a name do not harm each other`(factory: BytesFactory) throws {
        let bytes = try factory.make()
        guard bytes.sharesNames else { return }
        let (name, content) = (Self.name(bytes), StoreFixture.content(1))
        let bodies = try (0..<4).map { _ in
            let body = try Self.begin(bytes, name, content)
            try Self.write(content, to: body)
            try body.finish()
            return body
        }
        try bodies[0].cancel()
        try bodies[1].publish()
        try bodies[2].cancel()
        #expect(try bytes.content(name, size: 100) == content)
        try bodies[3].publish()
        #expect(try bytes.content(name, size: 100) == content)
        #expect(try Self.names(bytes) == [name])
    }

    // MARK: Being read

    @Test(arguments: BytesFactory.all)
    func `a body can be read to its end after it was removed`(factory: BytesFactory) throws {
        let bytes = try factory.make()
        let size = 4 << 20
        let (name, content) = try Self.store(1, size: size, in: bytes)
        let readers = try (0..<3).map { _ in try #require(try bytes.open(name, size: UInt32(size))) }
        let piece = 65_536
        for (number, reader) in readers.enumerated() {
            var read: [UInt8] = []
            for start in stride(from: 0, to: size, by: piece) {
                if number == 0, start == piece { try bytes.remove(name) }
                var buffer = [UInt8](repeating: 0, count: piece)
                try buffer.withUnsafeMutableBytes { try reader.fill($0, at: Int64(start)) }
                read += buffer
            }
            #expect(read == content)
        }
        #expect(try bytes.open(name, size: UInt32(size)) == nil)
        var buffer = [UInt8](repeating: 0, count: 2)
        #expect(throws: XFTPStoreError.self, "behind the end") {
            try buffer.withUnsafeMutableBytes { try readers[0].fill($0, at: Int64(size - 1)) }
        }
        readers[1].close()
        readers[1].close()
        #expect(throws: XFTPStoreError.self, "closed") {
            try buffer.withUnsafeMutableBytes { try readers[1].fill($0, at: 0) }
        }
    }

    @Test(arguments: BytesFactory.all)
    func `what is removed is gone, what is not there counts as removed`(factory: BytesFactory) throws {
        let bytes = try factory.make()
        let (gone, kept) = (try Self.store(1, in: bytes), try Self.store(2, in: bytes))
        for name in [gone.name, gone.name, Self.name(bytes)] { try bytes.remove(name) }
        try bytes.synchronize()
        #expect(try bytes.open(gone.name, size: 1000) == nil)
        #expect(try bytes.content(kept.name, size: 1000) == kept.content)
        #expect(try Self.names(bytes) == [kept.name])
    }

    // MARK: Lists

    @Test(arguments: BytesFactory.all)
    func `bodies are listed in the order of their names, from any of them on`(factory: BytesFactory) throws {
        struct Stop: Error {}
        let bytes = try factory.make()
        try Self.expectNothing(bytes, "new")
        var sizes: [BodyName: Int64] = [:]
        for number in 0..<factory.listedCount {
            sizes[try Self.store(number, size: number % 50 + 1, in: bytes).name] = Int64(number % 50 + 1)
        }
        let expected = sizes.keys.map { (text: Array($0.text.utf8), name: $0) }
            .sorted { $0.text.lexicographicallyPrecedes($1.text) }.map(\.name)
        #expect(expected == sizes.keys.sorted(), "names are ordered as their texts are")
        #expect(try Self.names(bytes) == expected)
        let middle = expected[expected.count / 3]
        #expect(try Self.names(bytes, after: middle) == Array(expected[(expected.count / 3 + 1)...]))
        #expect(try Self.names(bytes, after: expected.last).isEmpty)
        var found: [BodyName: Int64] = [:]
        var times: Set<Int64> = []
        try bytes.list(after: nil) {
            found[$0.name] = $0.size
            times.insert($0.modified)
            return true
        }
        #expect(found == sizes)
        #expect(times.allSatisfy { $0 > 1_600_000_000 })
        var seen = 0
        try bytes.list(after: nil) { _ in
            seen += 1
            return seen < 5
        }
        #expect(seen == 5)
        #expect(throws: Stop.self) { try bytes.list(after: nil) { _ in throw Stop() } }
        found = [:]
        _ = try bytes.takeStock { found[$0.name] = $0.size }
        #expect(found == sizes)
        #expect(throws: Stop.self) { _ = try bytes.takeStock { _ in throw Stop() } }
    }

    // MARK: Many threads

    @Test(arguments: BytesFactory.all)
    func `many threads store, read, list and remove side by side`(factory: BytesFactory) throws {
        let bytes = try factory.make()
        let kept = Mutex<[BodyName: [UInt8]]>([:])
        try Threads.run(8) { thread in
            for number in 0..<20 {
                let (name, content) = try Self.store(thread * 100 + number, in: bytes)
                #expect(try bytes.content(name, size: 1000) == content)
                if number % 2 == 0 {
                    try bytes.remove(name)
                } else {
                    kept.withLock { $0[name] = content }
                }
                if number % 5 == 0 {
                    try bytes.list(after: nil) {
                        #expect($0.size == 1000, "part of a body")
                        return true
                    }
                }
                let other = kept.withLock { $0.randomElement() }
                if let other { #expect(try bytes.content(other.key, size: 1000) == other.value) }
            }
        }
        let expected = kept.withLock { $0 }
        #expect(try Self.names(bytes) == expected.keys.sorted())
    }
}

/// Names of bodies and their texts.
struct BodyNameTests {
    @Test func `a name is read again from its text, and only from that`() throws {
        for _ in 0..<200 {
            for upload in [0, .random(in: 1 ... .max), 1] as [UInt64] {
                let name = BodyName(chunk: StoredID(), upload: upload)
                #expect(name.text.utf8.count == (upload == 0 ? 24 : 32))
                #expect(BodyName(name.text) == name)
                #expect(BodyName(name.text + "A") == nil && BodyName(name.text.dropLast()) == nil)
            }
        }
        let zero = BodyName(chunk: StoredID(), upload: 1).text.dropLast(11) + "AAAAAAAAAAA"
        #expect(BodyName(zero) == nil, "an upload has no number zero")
        #expect(BodyName("") == nil && BodyName("README") == nil)
    }

    @Test func `names are ordered as the bytes of their texts are`() throws {
        let chunks = (0..<40).map { _ in StoredID() }
        let near = try #require(StoredID([UInt8](repeating: 0xff, count: 15) + [0]))
        var names = chunks.flatMap { chunk in
            [0, 1, .max, .random(in: 1 ... .max)].map { BodyName(chunk: chunk, upload: $0) }
        }
        names += [0, 1, 1 << 63, 15 << 60].map { BodyName(chunk: near, upload: $0) }
        for one in names {
            #expect(!(one < one))
            for other in names where one != other {
                #expect((one < other) == one.text.utf8.lexicographicallyPrecedes(other.text.utf8))
            }
        }
    }
}
