import FaultInjection
import Synchronization
import Testing
import ValiseXFTPWire

@testable import ValiseRelay

/// Uploads, and the space that they have.
extension ChunkRecordsContractTests {
    @Test(arguments: RecordsFactory.all)
    func `space is reserved, then used, or given back`(factory: RecordsFactory) throws {
        let made = try factory.make(1000)
        let chunk = try made.announce(1)
        #expect(Self.answer { _ = try made.reserve(StoredID()) } == .auth)
        let reservation = try #require(try made.reserve(chunk.id, upload: 7))
        #expect(reservation.chunk == chunk.id && reservation.size == 100)
        #expect(reservation.digest == chunk.chunk.digest && reservation.deadline == Self.now + 3600)
        #expect(
            try made.reserve(chunk.id, upload: 7) == reservation, "the same, of whose answer nobody heard")
        var usage = try made.records.usage()
        #expect(usage.reservedSpace == 100 && usage.usedSpace == 0 && usage.quota == 1000)
        let second = try #require(try made.reserve(chunk.id, upload: 8))
        #expect(made.bytes.sharesNames || second.name != reservation.name)
        #expect(try made.records.usage().reservedSpace == 200)
        for _ in 0..<2 { try made.records.release(second) }
        #expect(try made.records.usage().reservedSpace == 100)
        let body = try made.body(chunk.content, for: reservation)
        #expect(try made.records.complete(reservation, body))
        #expect(try !made.records.complete(reservation, body), "the body is the chunk's by now")
        usage = try made.records.usage()
        #expect(usage.reservedSpace == 0 && usage.usedSpace == 100 && usage.uploaded == 1)
        #expect(try made.reserve(chunk.id) == nil)
        try made.records.release(reservation)
        #expect(try made.records.usage() == usage)
        #expect(try made.content(chunk.recipients[0].id) == chunk.content)
    }

    @Test(arguments: RecordsFactory.all)
    func `the quota is exact, and freed by whatever frees space`(factory: RecordsFactory) throws {
        let made = try factory.make(200)
        let chunks = try (0..<3).map { try made.announce($0) }
        let first = try #require(try made.reserve(chunks[0].id))
        try made.upload(chunks[1])
        #expect(Self.answer { _ = try made.reserve(chunks[2].id) } == .quota)
        try made.records.release(first)
        let third = try #require(try made.reserve(chunks[2].id))
        #expect(Self.answer { _ = try made.reserve(chunks[0].id) } == .quota)
        try made.records.remove(.bySender(chunks[1].id), as: .deleted) { try made.bytes.remove($0) }
        #expect(try made.reserve(chunks[0].id) != nil)
        #expect(Self.answer { _ = try made.reserve(chunks[0].id) } == .quota)
        try made.records.release(third)
    }

    @Test(arguments: RecordsFactory.all)
    func `the first upload that is completed stands, of the others nothing is left`(
        factory: RecordsFactory
    ) throws {
        let made = try factory.make(1000)
        let chunk = try made.announce(1)
        let one = try #require(try made.reserve(chunk.id))
        let other = try #require(try made.reserve(chunk.id))
        let bodies = [try made.body(chunk.content, for: one), try made.body(chunk.content, for: other)]
        #expect(try made.records.complete(other, bodies[1]))
        #expect(try !made.records.complete(one, bodies[0]))
        let usage = try made.records.usage()
        #expect(usage.usedSpace == 100 && usage.reservedSpace == 0 && usage.uploaded == 1)
        #expect(try made.content(chunk.recipients[0].id) == chunk.content)
        let names = try made.names()
        #expect(names.stored == names.known && names.stored.count == 1)
        #expect(try made.bytes.takeStock { _ in }.removedPartials == 0)
    }

    @Test(arguments: RecordsFactory.all)
    func `an upload that is overtaken by a deletion or a block comes to nothing`(
        factory: RecordsFactory
    ) throws {
        let made = try factory.make(1000)
        let information = BlockingInfo(.spam)
        for removal in [ChunkRemoval.deleted, .blocked(information)] {
            let chunk = try made.announce(1)
            let reservation = try #require(try made.reserve(chunk.id))
            let body = try made.body(chunk.content, for: reservation)
            try made.records.remove(.byOperator(recipient: chunk.recipients[0].id), as: removal) {
                try made.bytes.remove($0)
            }
            let expected: XFTPErrorCode = removal == .deleted ? .auth : .blocked(information)
            #expect(Self.answer { _ = try made.records.complete(reservation, body) } == expected)
            #expect(try made.names().stored.isEmpty)
            #expect(try made.records.usage().reservedSpace == 0)
        }
    }

    @Test(arguments: RecordsFactory.all)
    func `a body that cannot be published is not here`(factory: RecordsFactory) throws {
        let made = try factory.make(1000)
        let chunk = try made.announce(1)
        let reservation = try #require(try made.reserve(chunk.id))
        let body = ProbeBody(failure: MemoryBytes.outage)
        #expect(Self.answer { _ = try made.records.complete(reservation, body) } == .timeout)
        #expect(body.calls.cancelled > 0, "it may have its name nevertheless")
        #expect(try made.records.sender(chunk.id)?.isUploaded == false)
        #expect(try made.records.usage().reservedSpace == 0)
        #expect(try made.upload(chunk))
    }

    @Test(arguments: RecordsFactory.all)
    func `uploads whose time is over leave their space to others, and no bytes`(
        factory: RecordsFactory
    ) throws {
        let made = try factory.make(100)
        let (lost, chunk) = (try made.announce(1), try made.announce(2))
        let dead = try #require(try made.reserve(lost.id, lifetime: 60))
        let body = try made.body(lost.content, for: dead)
        #expect(Self.answer { _ = try made.reserve(chunk.id, at: Self.now + 60) } == .quota)
        let reservation = try #require(try made.reserve(chunk.id, at: Self.now + 61))
        #expect(try made.records.usage().reservedSpace == 100)
        try made.records.release(dead)
        #expect(try made.records.usage().reservedSpace == 100, "it was given back already")
        #expect(Self.answer { _ = try made.records.complete(dead, body) } == .timeout)
        #expect(try made.records.sender(lost.id)?.isUploaded == false)
        #expect(try made.records.complete(reservation, try made.body(chunk.content, for: reservation)))
        _ = try made.records.expire(before: 0, at: Self.now + 61) { try made.bytes.remove($0) }
        let names = try made.names()
        #expect(names.stored == names.known && names.stored.count == 1)
        #expect(try made.content(chunk.recipients[0].id) == chunk.content)
    }

    @Test(arguments: RecordsFactory.all)
    func `a sweep finds what uploads left whose process is gone`(factory: RecordsFactory) throws {
        let made = try factory.make(1000)
        let chunk = try made.announce(1)
        let dead = try #require(try made.reserve(chunk.id, lifetime: 60))
        let body = try made.body(chunk.content, for: dead)
        if !made.bytes.sharesNames { try body.publish() }
        var removed: [BodyName] = []
        for now in [Self.now + 60, Self.now + 61] {
            _ = try made.records.expire(before: 0, at: now) { name in
                removed.append(name)
                try made.bytes.remove(name)
            }
            #expect(try made.records.usage().reservedSpace == (now == Self.now + 60 ? 100 : 0))
        }
        withExtendedLifetime(body) {}
        // Under a name that others have, too, there is nothing.
        #expect(removed == (made.bytes.sharesNames ? [] : [dead.name]))
        #expect(try made.names().stored.isEmpty)
        #expect(try made.upload(chunk))
    }

    @Test(arguments: RecordsFactory.all)
    func `a body that has gone missing can be uploaded again`(factory: RecordsFactory) throws {
        let made = try factory.make(100)
        let chunk = try made.send(1)
        let recipient = chunk.recipients[0].id
        let body = try made.records.body(ofRecipient: recipient)
        try made.records.markMissing(body) { true }
        #expect(try made.records.body(ofRecipient: recipient) == body)
        try made.bytes.remove(body.name)
        try made.records.markMissing(body) { false }
        #expect(Self.answer { _ = try made.records.body(ofRecipient: recipient) } == .auth)
        #expect(try made.records.usage().usedSpace == 0 && made.records.usage().uploaded == 0)
        #expect(try made.upload(chunk))
        if !made.bytes.sharesNames {
            try made.records.markMissing(body) { false }
        }
        #expect(try made.content(recipient) == chunk.content)
    }

    // MARK: Many threads

    @Test(arguments: RecordsFactory.all)
    func `one reservation is completed once`(factory: RecordsFactory) throws {
        let made = try factory.make(1000)
        for round in 0..<20 {
            let chunk = try made.announce(round)
            let reservation = try #require(try made.reserve(chunk.id))
            let winners = Mutex<[ProbeBody]>([])
            try Threads.run(8) { thread in
                let body = ProbeBody()
                if try made.records(of: thread).complete(reservation, body) {
                    winners.withLock { $0.append(body) }
                }
            }
            let won = winners.withLock { $0 }
            #expect(won.count == 1)
            #expect(won.first?.calls == ProbeBody.Calls(published: 1, cancelled: 0))
            let usage = try made.records.usage()
            #expect(usage.usedSpace == 100 && usage.reservedSpace == 0)
            try made.records.remove(.bySender(chunk.id), as: .deleted) { _ in }
        }
        #expect(try made.records.statistics().filesUploaded == 20)
    }

    @Test(arguments: RecordsFactory.all)
    func `of many uploads to one chunk one stands, whole`(factory: RecordsFactory) throws {
        let made = try factory.make(nil)
        for round in 0..<10 {
            let chunk = try made.announce(round, size: 5000)
            let count = Atomic(0)
            try Threads.run(8) { thread in
                if try made.upload(chunk, in: made.records(of: thread)) {
                    count.add(1, ordering: .relaxed)
                }
            }
            #expect(count.load(ordering: .relaxed) == 1)
            #expect(try made.content(chunk.recipients[0].id) == chunk.content)
        }
        let (names, usage) = (try made.names(), try made.records.usage())
        #expect(names.stored == names.known && names.stored.count == 10)
        #expect(usage.usedSpace == 50_000 && usage.reservedSpace == 0)
    }

    @Test(arguments: RecordsFactory.all)
    func `the quota holds whatever many threads do, and nothing is left over`(factory: RecordsFactory) throws
    {
        let quota: Int64 = 1000
        let made = try factory.make(quota)
        let chunks = try (0..<24).map { try made.announce($0) }
        let refused = Atomic(0)
        try Threads.run(12) { thread in
            let records = made.records(of: thread)
            var generator = SeededGenerator(seed: UInt64(thread))
            for _ in 0..<100 {
                let chunk = chunks[Int.random(in: 0..<chunks.count, using: &generator)]
                switch Int.random(in: 0..<10, using: &generator) {
                case 0..<5:
                    switch Self.answer({ try made.upload(chunk, in: records) }) {
                    case nil: break
                    case .quota?: refused.add(1, ordering: .relaxed)
                    case .auth?: break
                    case let other?: Issue.record("\(other)")
                    }
                case 5..<7:
                    _ = Self.answer {
                        if let reservation = try made.reserve(chunk.id, in: records) {
                            try records.release(reservation)
                        }
                    }
                case 7:
                    let body = try? records.body(ofRecipient: chunk.recipients[0].id)
                    if let body {
                        try made.bytes.remove(body.name)
                        try records.markMissing(body) {
                            try made.bytes.open(body.name, size: body.size) != nil
                        }
                    }
                case 8 where thread < 3:
                    _ = Self.answer {
                        try records.remove(.bySender(chunk.id), as: .deleted) { try made.bytes.remove($0) }
                    }
                default:
                    _ = try records.expire(before: 0, at: Self.now) { try made.bytes.remove($0) }
                }
                let usage = try records.usage()
                #expect(usage.usedSpace + usage.reservedSpace <= quota)
                #expect(usage.usedSpace >= 0 && usage.reservedSpace >= 0)
            }
        }
        #expect(refused.load(ordering: .relaxed) > 0, "the quota was reached")
        _ = try made.records.expire(before: 0, at: Self.now + 7200) { try made.bytes.remove($0) }
        let (names, usage) = (try made.names(), try made.records.usage())
        #expect(usage.reservedSpace == 0 && usage.usedSpace == Int64(names.known.count * 100))
        // What was taken away was told.
        #expect(names.stored == names.known)
    }
}
