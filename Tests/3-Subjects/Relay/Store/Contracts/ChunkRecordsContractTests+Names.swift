import Testing
import ValiseFailures
import ValiseXFTPWire

@testable import ValiseRelay

/// Who may.
extension ChunkRecordsContractTests {
    private static func code(_ body: () throws -> Void) -> FailureCode? {
        do {
            try body()
            return nil
        } catch {
            return (error as? XFTPStoreError)?.code ?? .interrupted
        }
    }

    @Test(arguments: RecordsFactory.all)
    func `a name says its key, size and digest, and only to its own kind`(factory: RecordsFactory) throws {
        let made = try factory.make(nil)
        let chunk = try made.announce(1)
        let sender = try #require(try made.records.sender(chunk.id))
        #expect(sender.key == chunk.chunk.key && sender.digest == chunk.chunk.digest)
        #expect(sender.size == chunk.chunk.size && sender.blocked == nil && !sender.isUploaded)
        for recipient in chunk.recipients {
            #expect(try made.records.recipient(recipient.id)?.key == recipient.key)
            #expect(try made.records.chunk(ofRecipient: recipient.id) == chunk.id)
            #expect(try made.records.sender(recipient.id) == nil)
            #expect(
                Self.answer { try made.records.remove(.bySender(recipient.id), as: .deleted) { _ in } }
                    == .auth)
        }
        #expect(try made.records.recipient(chunk.id) == nil)
        #expect(try made.records.chunk(ofRecipient: chunk.id) == nil)
        #expect(try made.records.sender(StoredID()) == nil)
        #expect(Self.answer { try made.records.acknowledge(chunk.id) } == .auth)
        try made.upload(chunk)
        #expect(try made.records.sender(chunk.id)?.isUploaded == true)
        #expect(try made.records.recipient(chunk.recipients[0].id)?.isUploaded == true)
    }

    @Test(arguments: RecordsFactory.all)
    func `what a call made stays when it is repeated, and names are nobody else's`(
        factory: RecordsFactory
    ) throws {
        let made = try factory.make(nil)
        let chunk = Self.chunk(1)
        let more = [NewStoredRecipient(id: StoredID(), key: StoreFixture.key(9))]
        for index in 0..<3 {
            try made.records(of: index).create(chunk.chunk, chunk.recipients)
        }
        for index in 0..<3 { try made.records(of: index).addRecipients(more, to: chunk.id) }
        let usage = try made.records.usage()
        #expect(usage.chunks == 1 && usage.recipients == 3)
        #expect(try made.records.statistics().fileRecipients == 3)
        var other = Self.chunk(2)
        let taken: [(StoredID, [StoredID])] = [
            (chunk.id, [StoredID()]), (StoredID(), [chunk.recipients[1].id]), (StoredID(), [chunk.id]),
            (chunk.recipients[0].id, [StoredID()]), (StoredID(), [more[0].id]),
        ]
        for (id, recipients) in taken {
            var announced = other.chunk
            announced.id = id
            let names = recipients.map { NewStoredRecipient(id: $0, key: StoreFixture.key(8)) }
            #expect(Self.code { try made.records.create(announced, names) } == .alreadyExists)
        }
        other = try made.announce(3)
        #expect(Self.code { try made.records.addRecipients(more, to: other.id) } == .alreadyExists)
        let double = NewStoredRecipient(id: StoredID(), key: StoreFixture.key(8))
        #expect(
            Self.code { try made.records.addRecipients([double, double], to: other.id) } == .alreadyExists)
        #expect(try made.records.recipient(more[0].id)?.key == more[0].key)
        #expect(try made.records.usage().recipients == 5)
    }

    @Test(arguments: RecordsFactory.all)
    func `a call that is repeated while it is under way makes everything once`(
        factory: RecordsFactory
    ) throws {
        let made = try factory.make(nil)
        for number in 0..<20 {
            let chunk = Self.chunk(number)
            let more = (0..<3).map { _ in NewStoredRecipient(id: StoredID(), key: StoreFixture.key(9)) }
            try Threads.run(6) { try made.records(of: $0).create(chunk.chunk, chunk.recipients) }
            try Threads.run(6) { try made.records(of: $0).addRecipients(more, to: chunk.id) }
            for recipient in chunk.recipients + more {
                #expect(try made.records.recipient(recipient.id)?.key == recipient.key)
            }
        }
        let (usage, counters) = (try made.records.usage(), try made.records.statistics())
        #expect(usage.chunks == 20 && usage.recipients == 100)
        #expect(counters.filesCreated == 20 && counters.fileRecipients == 100)
    }

    @Test(arguments: RecordsFactory.all)
    func `recipients come and go, the chunk stays`(factory: RecordsFactory) throws {
        let made = try factory.make(nil)
        let chunk = try made.announce(1)
        let late = NewStoredRecipient(id: StoredID(), key: StoreFixture.key(9))
        #expect(Self.answer { _ = try made.records.body(ofRecipient: chunk.recipients[0].id) } == .noFile)
        try made.upload(chunk)
        try made.records.addRecipients([late], to: chunk.id)
        for recipient in chunk.recipients + [late] {
            #expect(try made.content(recipient.id) == chunk.content)
            try made.records.acknowledge(recipient.id)
            #expect(try made.records.recipient(recipient.id) == nil)
            #expect(Self.answer { _ = try made.records.body(ofRecipient: recipient.id) } == .auth)
            #expect(Self.answer { try made.records.acknowledge(recipient.id) } == .auth)
        }
        #expect(try made.records.sender(chunk.id)?.isUploaded == true)
        #expect(try made.records.usage().recipients == 0)
        let unknown = NewStoredRecipient(id: StoredID(), key: StoreFixture.key(9))
        #expect(Self.answer { try made.records.addRecipients([unknown], to: StoredID()) } == .auth)
    }

    @Test(arguments: RecordsFactory.all)
    func `a chunk that is blocked or off is neither read nor written`(factory: RecordsFactory) throws {
        let made = try factory.make(nil)
        let information = BlockingInfo(.content, notice: .init(ttl: 86_400))
        for status in [ChunkStatus.blocked(information), .off] {
            let chunk = try made.announce(1, status: status)
            let expected: XFTPErrorCode = status == .off ? .auth : .blocked(information)
            let recipient = chunk.recipients[0].id
            let sender = try made.records.sender(chunk.id)
            #expect(status == .off ? sender == nil : sender?.blocked == information)
            #expect(try made.records.recipient(recipient)?.blocked == sender?.blocked)
            #expect(try made.records.chunk(ofRecipient: recipient) == chunk.id)
            let more = NewStoredRecipient(id: StoredID(), key: StoreFixture.key(9))
            let calls: [() throws -> Void] = [
                { _ = try made.reserve(chunk.id) },
                { _ = try made.records.body(ofRecipient: recipient) },
                { try made.records.addRecipients([more], to: chunk.id) },
                { try made.records.acknowledge(recipient) },
                { try made.records.remove(.bySender(chunk.id), as: .deleted) { _ in } },
            ]
            for (number, call) in calls.enumerated() {
                #expect(Self.answer(call) == expected, "call \(number)")
            }
            try made.records.remove(.byOperator(recipient: recipient), as: .deleted) { _ in }
            #expect(try made.records.chunk(ofRecipient: recipient) == nil)
        }
        #expect(try made.records.usage().chunks == 0)
    }

    @Test(arguments: RecordsFactory.all)
    func `downloads, days and everything else are counted`(factory: RecordsFactory) throws {
        let made = try factory.make(nil)
        let (first, second) = (try made.send(1), try made.send(2))
        for chunk in [first, first, second] {
            try made.records.noteDownload(of: chunk.id, at: Self.now)
        }
        try made.records.acknowledge(first.recipients[0].id)
        try made.records.remove(.bySender(second.id), as: .deleted) { try made.bytes.remove($0) }
        let counters = try made.records.statistics()
        #expect(counters.filesCreated == 2 && counters.fileRecipients == 4 && counters.filesUploaded == 2)
        #expect(counters.fileDownloads == 3 && counters.downloadedToday == 2)
        #expect(counters.fileDownloadAcknowledgements == 1 && counters.filesDeleted == 1)
        #expect(counters.filesCount == 1 && counters.filesSize == 100)
        #expect(try made.records.endDay(at: Self.now + 60) == nil)
        let line = try made.records.endDay(at: Self.now + 86_400)
        #expect(line == "2023-11-14,2,4,2,1,2,,,3,1,1,100,0")
        #expect(try made.records.endDay(at: Self.now + 86_400) == nil, "a day ends once")
        #expect(try made.records.statistics().filesCreated == 0)
    }

    @Test(arguments: RecordsFactory.all)
    func `chunks are gone through in the order of their names, from any of them on`(
        factory: RecordsFactory
    ) throws {
        struct Stop: Error {}
        let made = try factory.make(nil)
        var expected: [ListedChunk] = []
        for number in 0..<40 {
            let chunk = try made.announce(
                number, recipients: number % 4 + 1, status: number == 7 ? .off : .active)
            var body: StoredBody?
            if number % 3 == 0 {
                try made.upload(chunk)
                body = try made.records.body(ofRecipient: chunk.recipients[0].id)
            }
            expected.append(ListedChunk(chunk: chunk.chunk, recipients: chunk.recipients, body: body))
        }
        expected.sort { $0.chunk.id < $1.chunk.id }
        func listed(after id: StoredID?, most: Int = .max) throws -> [ListedChunk] {
            var listed: [ListedChunk] = []
            try made.records.forEach(after: id) {
                listed.append($0)
                return listed.count < most
            }
            return listed
        }
        let all = try listed(after: nil)
        #expect(all == expected)
        var pages: [ListedChunk] = []
        while pages.count < 100 {
            let page = try listed(after: pages.last?.chunk.id, most: 7)
            if page.isEmpty { break }
            pages += page
        }
        #expect(pages == all)
        #expect(throws: Stop.self) { try made.records.forEach(after: nil) { _ in throw Stop() } }
    }

    @Test(arguments: RecordsFactory.all)
    func `what was acknowledged outlives the process`(factory: RecordsFactory) throws {
        let made = try factory.make(1000)
        guard let reopen = made.reopen else { return }
        let (kept, deleted, blocked) = (try made.send(1), try made.send(2), try made.send(3))
        let announced = try made.announce(4)
        try made.records.acknowledge(kept.recipients[0].id)
        try made.records.remove(.bySender(deleted.id), as: .deleted) { try made.bytes.remove($0) }
        try made.records.remove(
            .byOperator(recipient: blocked.recipients[0].id), as: .blocked(BlockingInfo(.spam))
        ) { try made.bytes.remove($0) }
        _ = try made.reserve(announced.id)
        let before = try made.records.usage()
        let records = try reopen()
        _ = try records.expire(before: 0, at: Self.now + 3601) { try made.bytes.remove($0) }
        let after = try records.usage()
        #expect(after.chunks == before.chunks && after.recipients == before.recipients)
        #expect(after.uploaded == 1 && after.usedSpace == 100 && after.reservedSpace == 0)
        #expect(try records.sender(deleted.id) == nil)
        #expect(try records.sender(blocked.id)?.blocked == BlockingInfo(.spam))
        #expect(try records.sender(announced.id)?.isUploaded == false)
        #expect(try records.recipient(kept.recipients[0].id) == nil)
        let body = try records.body(ofRecipient: kept.recipients[1].id)
        #expect(try made.bytes.content(body.name, size: body.size) == kept.content)
    }

    @Test(arguments: RecordsFactory.all)
    func `records that are closed take nothing`(factory: RecordsFactory) throws {
        let made = try factory.make(nil)
        let chunk = try made.announce(1)
        try made.records.close()
        try made.records.close()
        let other = Self.chunk(2)
        #expect(throws: XFTPStoreError.self) { try made.records.create(other.chunk, other.recipients) }
        #expect(throws: XFTPStoreError.self) { _ = try made.reserve(chunk.id) }
        #expect(throws: XFTPStoreError.self) {
            try made.records.remove(.bySender(chunk.id), as: .deleted) { _ in }
        }
    }
}
