import FaultInjection
import StoreContract
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseStorage
import ValiseXFTPWire

@testable import ValiseRelay

/// What clients and operators get of chunks on a storage server, beyond what every place of chunks promises.
struct ChunkObjectsTests {
    @Test func `bodies are objects below a prefix, and what others have there is left alone`() throws {
        let memory = MemoryObjectStore()
        let bytes = try ObjectsFixture.chunks(memory)
        let bodies = (0..<3).map { SentBody($0) }
        for body in bodies { try body.store(in: bytes) }
        let foreign = [
            "chunks/README", "chunks/a/\(bodies[0].name.text)", "chunks/.hidden", "other/a", "chunks",
        ]
        for text in foreign { try memory.put(ObjectKey(text), [1], if: .always) }
        #expect(
            Set(memory.contents.keys.map(\.text))
                == Set(bodies.map { "chunks/\($0.name.text)" } + foreign))
        var names: [BodyName] = []
        try bytes.list(after: nil) {
            names.append($0.name)
            return true
        }
        #expect(names == bodies.map(\.name).sorted())
        let report = try bytes.takeStock { _ in }
        #expect(report.removedPartials == 0 && memory.contents.count == 8)
        #expect(bytes.location(of: bodies[0].name) == "memory/chunks/\(bodies[0].name.text)")
    }

    @Test func `nothing is sent before all of a body is here, and then one request`() throws {
        let counting = FaultyObjectStore(MemoryObjectStore(), .none)
        let bytes = try ObjectsFixture.chunks(counting)
        let body = SentBody(1, size: 65_536)
        let incoming = try body.written(to: bytes)
        #expect(counting.count == 0)
        try incoming.finish()
        try incoming.publish()
        #expect(counting.count == 1)
        let open = try #require(try bytes.open(body.name, size: body.size))
        #expect(counting.count == 2)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        for _ in 0..<2 { try buffer.withUnsafeMutableBytes { try open.fill($0, at: 0) } }
        #expect(buffer == body.content && counting.count == 2)
        for _ in 0..<2 { _ = try SentBody(2).written(to: bytes) }
        #expect(counting.count == 2, "what is let go of was never sent")
    }

    // MARK: Failures

    private static let failures: [(StorageError, XFTPStoreError.Kind)] = [
        (FaultyStore.unreachable, .unavailable), (FaultyStore.brokenAnswer, .unavailable),
        (StorageError(.busy, .failed, "busy"), .unavailable),
        (StorageError(.server, .failed, "failed"), .unavailable),
        (StorageError(.credentials, .denied, "the server refuses access (AccessDenied)"), .unavailable),
        (StorageError(.clock, .denied, "clock"), .unavailable),
        (StorageError(.noStore, .notFound, "no bucket"), .unavailable),
        (StorageError(.appendOnly, .denied, "append-only"), .unavailable),
        (StorageError(.general, .unsupported, "unsupported"), .unavailable),
    ]

    @Test func `whatever the server's failure is, clients come again, and the operator reads what it was`()
        throws
    {
        for (failure, kind) in Self.failures {
            let memory = MemoryObjectStore()
            let (stored, sent) = (SentBody(1), SentBody(2))
            try stored.store(in: ObjectsFixture.chunks(memory))
            func failing() throws -> ChunkObjects {
                try ObjectsFixture.chunks(FaultyObjectStore(memory, .fail(failure), at: 1))
            }
            let calls: [(ChunkObjects) throws -> Void] = [
                { _ = try $0.open(stored.name, size: stored.size) }, { try $0.remove(stored.name) },
                { try $0.list(after: nil) { _ in true } }, { _ = try $0.takeStock { _ in } },
                { try sent.written(to: $0).finish() },
            ]
            for call in calls {
                let bytes = try failing()
                let error = #expect(throws: XFTPStoreError.self) { try call(bytes) }
                #expect(error?.kind == kind && error?.answer == .timeout, "\(failure)")
                #expect(error?.message.contains(failure.message) == true)
                try #expect(
                    ObjectsFixture.chunks(memory).content(stored.name, size: stored.size) == stored.content)
            }
        }
    }

    @Test func `a server without space is a relay without space`() throws {
        let full = StorageError(.general, .noSpace, "no free space on the server")
        let bytes = try ObjectsFixture.chunks(FaultyObjectStore(MemoryObjectStore(), .fail(full), at: 1))
        let body = try SentBody(1).written(to: bytes)
        #expect(answer { try body.finish() } == .quota)
        try body.cancel()
    }

    @Test func `a missing folder of objects is no missing body`() throws {
        let folder = try TemporaryFolder("valise-objects", inMemory: true)
        let path = folder.appending("objects")
        let store = FolderObjectStore(path)
        try store.create()
        let bytes = try ObjectsFixture.chunks(store)
        let body = SentBody(1)
        try body.store(in: bytes)
        try FileSystem().rename(path, to: folder.appending("elsewhere"))
        #expect(answer { _ = try bytes.open(body.name, size: body.size) } == .timeout)
        try FileSystem().rename(folder.appending("elsewhere"), to: path)
        #expect(try bytes.content(body.name, size: body.size) == body.content)
        try store.remove(ObjectKey("chunks/\(body.name.text)"))
        #expect(try bytes.open(body.name, size: body.size) == nil)
    }

    @Test func `a full disk for transfers passes`() throws {
        for position in 1...2 {
            let faults = FaultPlan(.fail(.noSpace), at: position)
            let bytes = try ObjectsFixture.chunks(MemoryObjectStore(), faults: faults)
            let body = SentBody(1)
            #expect(answer { try body.store(in: bytes) } == .timeout)
            try body.store(in: bytes)
            let reading = FaultPlan(.fail(.noSpace), at: position)
            let memory = MemoryObjectStore()
            try body.store(in: ObjectsFixture.chunks(memory))
            let full = try ObjectsFixture.chunks(memory, faults: reading)
            #expect(answer { _ = try full.open(body.name, size: body.size) } == .timeout)
            #expect(try full.content(body.name, size: body.size) == body.content)
            #expect(faults.wasReached && reading.wasReached)
        }
    }

    // MARK: Requests whose end is unknown

    @Test func `an object that may be stored at any time is left to whoever sweeps`() throws {
        for fault in [FaultyStore.Fault.fail(FaultyStore.unreachable), .loseAnswer(FaultyStore.unreachable)] {
            let memory = MemoryObjectStore()
            // Its source is read to the end before the answer is lost.
            let bytes = try ObjectsFixture.chunks(ReadingObjectStore(memory, fault))
            let body = SentBody(1)
            let incoming = try body.written(to: bytes)
            #expect(answer { try incoming.finish() } == .timeout)
            for _ in 0..<2 { #expect(answer { try incoming.cancel() } == .timeout) }
            try bytes.remove(body.name)
            #expect(memory.contents.isEmpty)
        }
    }

    @Test func `an object that was refused, or not sent to its end, is not there`() throws {
        let busy = StorageError(.busy, .failed, "busy")
        let memory = MemoryObjectStore()
        for objects in [
            ReadingObjectStore(memory, .fail(busy)),
            FaultyObjectStore(memory, .fail(FaultyStore.unreachable), at: 1),
        ] as [any ObjectStore] {
            let incoming = try SentBody(1).written(to: ObjectsFixture.chunks(objects))
            #expect(answer { try incoming.finish() } == .timeout)
            try incoming.cancel()
            #expect(memory.contents.isEmpty)
        }
    }

    @Test func `space stays reserved for what may be stored, until it was looked for`() throws {
        let memory = MemoryObjectStore()
        let lost = FaultyStore.Fault.loseAnswer(FaultyStore.unreachable)
        let clock = TestClock()
        let database = ModelDatabase(quota: 1000)
        let store = ChunkStore(
            ModelRecords(database), try ObjectsFixture.chunks(ReadingObjectStore(memory, lost)),
            ChunkStoreRules(allowedSizes: [100], clock: { clock.now }))
        let chunk = try store.announce(1)
        #expect(answer { try store.upload(chunk) } == .timeout)
        #expect(try store.usage.reservedSpace == 100 && memory.contents.count == 1)
        #expect(try store.upload(chunk))
        #expect(memory.contents.count == 2)
        clock.advance(by: 3601)
        _ = try store.expire()
        #expect(try store.usage.reservedSpace == 0 && memory.contents.count == 1)
        #expect(try store.content(chunk.recipients[0]) == chunk.content)
    }
}
