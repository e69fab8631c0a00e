import Synchronization
import Testing
import ValiseXFTPWire

@testable import ValiseRelay

/// How chunks go.
extension ChunkRecordsContractTests {
    @Test(arguments: RecordsFactory.all)
    func `a chunk is removed with its body and all its names`(factory: RecordsFactory) throws {
        let made = try factory.make(100)
        let chunk = try made.send(1)
        let name = try made.records.body(ofRecipient: chunk.recipients[0].id).name
        var removed: [BodyName] = []
        func remove() throws {
            try made.records.remove(.bySender(chunk.id), as: .deleted) {
                removed.append($0)
                try made.bytes.remove($0)
            }
        }
        try remove()
        #expect(removed == [name])
        #expect(Self.answer { try remove() } == .auth)
        #expect(try made.records.sender(chunk.id) == nil)
        for recipient in chunk.recipients {
            #expect(try made.records.recipient(recipient.id) == nil)
            #expect(Self.answer { _ = try made.records.body(ofRecipient: recipient.id) } == .auth)
        }
        let usage = try made.records.usage()
        #expect(usage.chunks == 0 && usage.recipients == 0 && usage.usedSpace == 0)
        let unsent = try made.announce(2)
        try made.records.remove(.bySender(unsent.id), as: .deleted) { try made.bytes.remove($0) }
        #expect(try made.records.sender(unsent.id) == nil)
        #expect(
            Self.answer {
                try made.records.remove(.byOperator(recipient: StoredID()), as: .deleted) { _ in }
            } == .auth)
    }

    @Test(arguments: RecordsFactory.all)
    func `a chunk that is blocked keeps its names and loses its body`(factory: RecordsFactory) throws {
        let made = try factory.make(100)
        let chunk = try made.send(1)
        let information = BlockingInfo(.content)
        let target = RemovalTarget.byOperator(recipient: chunk.recipients[1].id)
        try made.records.remove(target, as: .blocked(information)) { try made.bytes.remove($0) }
        #expect(try made.names().stored.isEmpty && made.records.usage().usedSpace == 0)
        #expect(try made.records.sender(chunk.id)?.blocked == information)
        #expect(try made.records.recipient(chunk.recipients[0].id)?.blocked == information)
        #expect(try made.records.statistics().filesBlocked == 1)
        try made.records.remove(target, as: .deleted) { try made.bytes.remove($0) }
        #expect(try made.records.usage().chunks == 0)
    }

    /// Either the chunk is still there, so that whoever asked can ask again, or it is gone and who sweeps removes its body.
    @Test(arguments: RecordsFactory.all)
    func `a body that cannot be removed is not forgotten`(factory: RecordsFactory) throws {
        let made = try factory.make(100)
        for removal in [ChunkRemoval.deleted, .blocked(BlockingInfo(.spam))] {
            let chunk = try made.send(1)
            let target = RemovalTarget.byOperator(recipient: chunk.recipients[0].id)
            let failure = Self.answer {
                try made.records.remove(target, as: removal) { _ in throw MemoryBytes.outage }
            }
            #expect(try made.names().stored.count == 1)
            if failure == nil {
                #expect(try made.records.usage().usedSpace == 0)
                #expect(
                    Self.answer {
                        _ = try made.records.expire(before: 0, at: Self.now) { _ in throw MemoryBytes.outage }
                    } == .timeout)
                _ = try made.records.expire(before: 0, at: Self.now) { try made.bytes.remove($0) }
            } else {
                #expect(failure == .timeout)
                #expect(try made.content(chunk.recipients[0].id) == chunk.content)
                try made.records.remove(target, as: removal) { try made.bytes.remove($0) }
            }
            #expect(try made.names().stored.isEmpty && made.records.usage().usedSpace == 0)
            if removal != .deleted {
                try made.records.remove(target, as: .deleted) { try made.bytes.remove($0) }
            }
            #expect(try made.records.usage().chunks == 0)
        }
    }

    @Test(arguments: RecordsFactory.all)
    func `what is older than a time goes, each body once`(factory: RecordsFactory) throws {
        let made = try factory.make(nil)
        var old: Set<BodyName> = []
        for number in 0..<30 {
            let chunk = try made.send(number, hour: Self.hour - 1)
            old.insert(try made.records.body(ofRecipient: chunk.recipients[0].id).name)
        }
        _ = try made.announce(50, hour: Self.hour - 5)
        let young = try made.send(60, hour: Self.hour)
        // The hour of the old ones ends now.
        #expect(try made.records.expire(before: Self.now, at: Self.now) { try made.bytes.remove($0) } == 1)
        var removed: [BodyName] = []
        var stubborn: BodyName?
        let failure = Self.answer {
            _ = try made.records.expire(before: Self.now + 1, at: Self.now) { name in
                stubborn = stubborn ?? name
                if name == stubborn { throw MemoryBytes.outage }
                removed.append(name)
                try made.bytes.remove(name)
            }
        }
        #expect(failure == .timeout)
        let name = try #require(stubborn)
        #expect(removed.count == 29 && Set(removed) == old.subtracting([name]), "the others were removed")
        removed = []
        _ = try made.records.expire(before: Self.now + 1, at: Self.now) { name in
            removed.append(name)
            try made.bytes.remove(name)
        }
        #expect(removed == [name])
        _ = try made.records.expire(before: Self.now + 1, at: Self.now) { _ in Issue.record("once more") }
        let usage = try made.records.usage()
        #expect(usage.chunks == 1 && usage.usedSpace == 100 && usage.recipients == 2)
        #expect(try made.content(young.recipients[0].id) == young.content)
        #expect(try made.records.statistics().filesExpired == 31)
        let names = try made.names()
        #expect(names.stored == names.known && names.stored.count == 1)
    }

    @Test(arguments: RecordsFactory.all)
    func `one sweeps at a time`(factory: RecordsFactory) throws {
        struct Stop: Error {}
        let made = try factory.make(nil)
        let running = Atomic(0)
        let most = Atomic(0)
        let done = Atomic(0)
        try Threads.run(8) { thread in
            for _ in 0..<50 {
                let ran = try made.records(of: thread).whileSweeping {
                    let now = running.add(1, ordering: .sequentiallyConsistent).newValue
                    _ = most.max(now, ordering: .sequentiallyConsistent)
                    running.subtract(1, ordering: .sequentiallyConsistent)
                }
                if ran { done.add(1, ordering: .relaxed) }
            }
        }
        #expect(most.load(ordering: .sequentiallyConsistent) == 1 && done.load(ordering: .relaxed) > 0)
        let ran = try made.records.whileSweeping {
            for index in 0..<3 {
                let ranToo = try made.records(of: index).whileSweeping {}
                #expect(!ranToo, "two at a time")
            }
        }
        #expect(ran)
        #expect(throws: Stop.self) { _ = try made.records.whileSweeping { throw Stop() } }
        #expect(try made.records.whileSweeping {})
    }

    @Test(arguments: RecordsFactory.all)
    func `uploads and removals at the same moment leave a chunk with its body, or neither`(
        factory: RecordsFactory
    ) throws {
        let made = try factory.make(10_000)
        for round in 0..<30 {
            let chunk = try made.announce(round)
            try Threads.run(4) { thread in
                let records = made.records(of: thread)
                if thread % 2 == 0 {
                    let answer = Self.answer { try made.upload(chunk, in: records) }
                    #expect(answer == nil || answer == .auth, "\(answer.map { $0.text } ?? "")")
                } else {
                    let answer = Self.answer {
                        try records.remove(.bySender(chunk.id), as: .deleted) { try made.bytes.remove($0) }
                    }
                    #expect(answer == nil || answer == .auth)
                }
            }
            #expect(try made.records.sender(chunk.id) == nil)
        }
        #expect(try made.names().stored.isEmpty)
        let usage = try made.records.usage()
        #expect(usage.usedSpace == 0 && usage.reservedSpace == 0 && usage.chunks == 0)
    }
}
