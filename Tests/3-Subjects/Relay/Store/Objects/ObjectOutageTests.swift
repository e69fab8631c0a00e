import StoreContract
import Testing
import ValiseFailures
import ValiseStorage
import ValiseXFTPWire

@testable import ValiseRelay

/// Chunks on a server of S3 that is busy, slow, or breaks off.
@Suite(.enabled(if: StoragePeer.canMisbehave)) struct ObjectOutageTests {
    private let peer: StoragePeer

    init() throws { peer = try StoragePeer.misbehaving() }

    private func server(_ behavior: String) throws -> S3ObjectStore {
        try S3ObjectStore(try peer.bucket(at: behavior), StoragePeer.impatient)
    }

    private func chunks(_ behavior: String, patient: Bool = true) throws -> ChunkObjects {
        let server = try server(behavior)
        return try ObjectsFixture.chunks(patient ? RetryingObjectStore(server, .whileClientsWait) : server)
    }

    @Test func `clients do not notice a server that is busy for a moment`() throws {
        let bytes = try chunks("objects-down-3")
        let body = SentBody(1, size: 65_536)
        try body.store(in: bytes)
        #expect(try bytes.content(body.name, size: body.size) == body.content)
    }

    @Test func `clients come again to a server that is busy for longer, and find all that was there`() throws
    {
        let clock = TestClock()
        let database = ModelDatabase(quota: 1000)
        let store = ChunkStore(
            ModelRecords(database), try chunks("objects-down-4", patient: false),
            ChunkStoreRules(allowedSizes: [100], clock: { clock.now }))
        let chunk = try store.announce(1)
        for _ in 0..<2 { #expect(answer { try store.upload(chunk) } == .timeout) }
        #expect(try store.usage.reservedSpace == 0, "what was refused is not there")
        for _ in 0..<2 { #expect(answer { _ = try store.open(chunk.recipients[0]) } == .noFile) }
        _ = answer { try store.upload(chunk) }
        _ = answer { try store.upload(chunk) }
        #expect(try store.upload(chunk))
        #expect(try store.content(chunk.recipients[0]) == chunk.content)
    }

    @Test func `the time that clients wait is seconds`() throws {
        let start = ContinuousClock.now
        let bytes = try chunks("status-503")
        #expect(answer { try SentBody(1).store(in: bytes) } == .timeout)
        #expect(answer { _ = try bytes.open(SentBody(1).name, size: 100) } == .timeout)
        #expect(ContinuousClock.now - start < .seconds(20))
        let patient = RetryingObjectStore(try server("status-503-60"), .whileClientsWait)
        let told = ContinuousClock.now
        #expect(answer { try SentBody(1).store(in: ObjectsFixture.chunks(patient)) } == .timeout)
        #expect(ContinuousClock.now - told < .seconds(5), "a server that asks for a minute is not waited for")
    }

    @Test func `an answer that breaks off is continued, a request is sent again`() throws {
        let size = 1 << 20
        for behavior in ["cut", "torn", "lost", "slow", "whole", "late"] {
            let bytes = try chunks("objects-\(behavior)")
            let body = SentBody(2, size: size)
            try body.store(in: bytes)
            #expect(try bytes.content(body.name, size: body.size) == body.content, "\(behavior)")
            #expect(try bytes.open(body.name, size: body.size - 1) == nil, "\(behavior): a longer one")
            #expect(try bytes.open(body.name, size: body.size + 1) == nil, "\(behavior): a shorter one")
            try bytes.remove(body.name)
            #expect(try bytes.open(body.name, size: body.size) == nil, "\(behavior)")
        }
    }

    @Test func `of a request that breaks off it is known whether the object may be there`() throws {
        // More than what is on its way at a time.
        let torn = try SentBody(of: 64 << 20).written(to: chunks("objects-torn", patient: false))
        #expect(answer { try torn.finish() } == .timeout)
        try torn.cancel()
        let bytes = try chunks("objects-lost", patient: false)
        let body = SentBody(2, size: 1 << 20)
        let lost = try body.written(to: bytes)
        #expect(answer { try lost.finish() } == .timeout)
        #expect(answer { try lost.cancel() } == .timeout)
        #expect(try bytes.content(body.name, size: body.size) == body.content)
    }

    @Test func `other bytes than a body's are never given out`() throws {
        for behavior in ["long", "short"] {
            let bytes = try chunks("objects-\(behavior)", patient: false)
            let body = SentBody(3, size: 70_000)
            try body.store(in: bytes)
            #expect(answer { _ = try bytes.open(body.name, size: body.size) } == .timeout, "\(behavior)")
        }
    }

    /// Whoever takes one of these for a missing body lets the chunk be uploaded again.
    @Test(arguments: [
        "xml-NoSuchBucket", "xml-AccessDenied", "xml-InvalidAccessKeyId", "status-404", "status-403",
        "status-500",
        "reset", "silent", "garbage", "stall", "short", "redirect-away", "status-416-no",
    ])
    func `no answer but one in so many words is a missing body`(behavior: String) throws {
        let bytes = try chunks(behavior, patient: false)
        #expect(answer { _ = try bytes.open(SentBody(1).name, size: 100) } == .timeout)
    }

    @Test func `a missing body is one`() throws {
        #expect(try chunks("xml-NoSuchKey").open(SentBody(1).name, size: 100) == nil)
    }

    @Test func `a body that is open does not need its server any more`() throws {
        let other = try StoragePeer.misbehaving()
        let bytes = try ObjectsFixture.chunks(
            try S3ObjectStore(try other.bucket(at: "objects-strict"), StoragePeer.impatient))
        let body = SentBody(4, size: 4 << 20)
        try body.store(in: bytes)
        let open = try #require(try bytes.open(body.name, size: body.size))
        other.stop()
        var content = [UInt8](repeating: 0, count: body.content.count)
        try content.withUnsafeMutableBytes { try open.fill($0, at: 0) }
        #expect(content == body.content)
        #expect(answer { _ = try bytes.open(body.name, size: body.size) } == .timeout)
    }
}
