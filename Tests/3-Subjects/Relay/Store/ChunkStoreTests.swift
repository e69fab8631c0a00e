import FaultInjection
import Testing
import ValiseCryptography
import ValiseFailures
import ValiseFiles
import ValiseXFTPWire

@testable import ValiseRelay

/// What a relay answers, chunk by chunk (XFTP fact sheet, §5.2 and §11.2).
struct ChunkStoreTests {
    @Test func `a chunk goes in and comes out for each recipient until they acknowledge`() throws {
        let store = try StoreFixture().open()
        let chunk = try store.announce(1, recipients: 2)
        #expect(answer { _ = try store.open(chunk.recipients[0]) } == .noFile)
        #expect(try store.upload(chunk))
        for recipient in chunk.recipients { #expect(try store.content(recipient) == chunk.content) }
        try store.acknowledge(chunk.recipients[0])
        #expect(answer { _ = try store.open(chunk.recipients[0]) } == .auth)
        #expect(answer { try store.acknowledge(chunk.recipients[0]) } == .auth)
        #expect(try store.content(chunk.recipients[1]) == chunk.content)
    }

    @Test func `a name says its key, size and digest, and only to its own kind`() throws {
        let store = try StoreFixture().open()
        let chunk = try store.send(1, recipients: 2)
        let sender = try #require(try store.sender(chunk.sender))
        #expect(sender.key == StoreFixture.key(1))
        #expect(sender.size == 100 && sender.digest == SHA256.hash(chunk.content) && sender.isUploaded)
        #expect(try store.recipient(chunk.recipients[1])?.key == StoreFixture.key(3))
        #expect(try store.recipient(chunk.sender) == nil && store.sender(chunk.recipients[0]) == nil)
        #expect(answer { try store.delete(chunk.recipients[0]) } == .auth)
        #expect(answer { try store.acknowledge(chunk.sender) } == .auth)
    }

    @Test func `other sizes are refused, a chunk is as long and as good as announced`() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        #expect(answer { _ = try store.announce(1, size: 98_304) } == .size)
        let chunk = try store.announce(1)
        for (content, expected) in [
            (chunk.content.dropLast(), XFTPErrorCode.size), (chunk.content + [0], .size),
            (chunk.content.dropLast() + [chunk.content[99] ^ 1], .digest),
        ] {
            let bad = SentChunk(sender: chunk.sender, recipients: [], content: Array(content))
            #expect(answer { try store.upload(bad) } == expected)
            #expect(try fixture.bodies.isEmpty)
            #expect(try store.usage.reservedSpace == 0 && store.usage.usedSpace == 0)
        }
        #expect(try store.upload(chunk))
        #expect(try !store.upload(chunk), "the first upload stands")
        #expect(try fixture.bodies.count == 1)
    }

    @Test func `the third chunk waits until the quota has space again`() throws {
        let store = try StoreFixture(quota: 200).open()
        let first = try store.send(1)
        _ = try store.send(2)
        let third = try store.announce(3)
        #expect(answer { try store.upload(third) } == .quota)
        try store.delete(first.sender)
        #expect(try store.upload(third))
        #expect(try store.usage.usedSpace == 200)
    }

    @Test func `what is coming in counts, and is given back when it does not come`() throws {
        let store = try StoreFixture(quota: 200).open()
        let chunks = try (0..<3).map { try store.announce($0) }
        do {
            let first = try store.beginUpload(chunks[0].sender)
            let second = try store.beginUpload(chunks[1].sender)
            #expect(answer { _ = try store.beginUpload(chunks[2].sender) } == .quota)
            withExtendedLifetime((first, second)) {}
        }
        #expect(try store.usage.reservedSpace == 0)
        #expect(try store.upload(chunks[2]))
    }

    @Test func `after a deletion nothing is known any more, but who reads goes on`() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let chunk = try store.send(1)
        let reading = try store.open(chunk.recipients[0])
        try store.delete(chunk.sender)
        #expect(try fixture.bodies.isEmpty)
        #expect(answer { try store.delete(chunk.sender) } == .auth)
        #expect(answer { _ = try store.open(chunk.recipients[0]) } == .auth)
        #expect(answer { _ = try store.beginUpload(chunk.sender) } == .auth)
        #expect(answer { _ = try store.addRecipients([StoreFixture.key(9)], to: chunk.sender) } == .auth)
        var bytes = [UInt8](repeating: 0, count: 100)
        try bytes.withUnsafeMutableBytes { try reading.body.fill($0, at: 0) }
        #expect(bytes == chunk.content)
    }

    @Test func `recipients come before and after the upload`() throws {
        let store = try StoreFixture().open()
        var chunk = try store.announce(1)
        chunk.recipients += try store.addRecipients([StoreFixture.key(8)], to: chunk.sender)
        try store.upload(chunk)
        chunk.recipients += try store.addRecipients(
            [StoreFixture.key(9), StoreFixture.key(10)], to: chunk.sender)
        #expect(try chunk.recipients.map { try store.recipient($0)?.key.bytes[0] } == [2, 8, 9, 10])
        for recipient in chunk.recipients { #expect(try store.content(recipient) == chunk.content) }
        #expect(answer { _ = try store.addRecipients([], to: chunk.sender) } == .command(.syntax))
    }

    @Test func `a blocked chunk loses its body and says so to everyone, after a restart too`() throws {
        let fixture = try StoreFixture()
        let information = BlockingInfo(.content, notice: .init(ttl: 86_400))
        var store = try fixture.open()
        let chunk = try store.send(1, recipients: 2)
        try store.block(chunk.recipients[1], information)
        for _ in 0..<3 {
            #expect(try store.sender(chunk.sender)?.blocked == information)
            #expect(try store.recipient(chunk.recipients[0])?.blocked == information)
            #expect(answer { _ = try store.open(chunk.recipients[0]) } == .blocked(information))
            #expect(answer { _ = try store.beginUpload(chunk.sender) } == .blocked(information))
            #expect(answer { try store.delete(chunk.sender) } == .blocked(information))
            #expect(try fixture.bodies.isEmpty && store.usage.usedSpace == 0)
            try store.close()
            store = try fixture.open()
        }
        try store.deleteByRecipient(chunk.recipients[0])
        #expect(try store.sender(chunk.sender) == nil)
    }

    @Test func `an upload that is overtaken by a deletion or a block comes to nothing`() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        for block in [false, true] {
            let chunk = try store.announce(1)
            guard case .accept(let upload) = try store.beginUpload(chunk.sender) else { return }
            try chunk.content.withUnsafeBytes { try upload.write($0) }
            if block {
                try store.block(chunk.recipients[0], BlockingInfo(.spam))
            } else {
                try store.delete(chunk.sender)
            }
            #expect(answer { try upload.finish() } == (block ? .blocked(BlockingInfo(.spam)) : .auth))
            #expect(try fixture.bodies.isEmpty && store.usage.reservedSpace == 0)
        }
    }

    @Test func `of two uploads to one name the first that ends stands, both are told that it worked`() throws
    {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let chunk = try store.announce(1)
        guard case .accept(let one) = try store.beginUpload(chunk.sender),
            case .accept(let other) = try store.beginUpload(chunk.sender)
        else { return }
        for upload in [one, other] { try chunk.content.withUnsafeBytes { try upload.write($0) } }
        try other.finish()
        try one.finish()
        #expect(try store.usage.usedSpace == 100 && store.usage.reservedSpace == 0)
        #expect(try fixture.bodies.count == 1)
        #expect(try store.content(chunk.recipients[0]) == chunk.content)
    }

    @Test func `chunks live two days and the hour in which they came`() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        fixture.clock.advance(by: 3599)
        let old = try store.send(1)
        fixture.clock.advance(by: 1)
        let young = try store.send(2)
        fixture.clock.advance(by: 172_800)
        #expect(try store.expire() == 0)
        fixture.clock.advance(by: 1)
        #expect(try store.expire() == 1)
        #expect(try store.sender(old.sender) == nil)
        #expect(try store.content(young.recipients[0]) == young.content)
        #expect(try fixture.bodies.count == 1)
        #expect(try store.statistics.filesExpired == 1)
    }

    @Test func `names are bounded`() throws {
        var fixture = try StoreFixture()
        fixture.settings.mostNames = 5
        let store = try fixture.open()
        let chunk = try store.announce(1, recipients: 3)
        #expect(answer { _ = try store.announce(2) } == .quota)
        _ = try store.addRecipients([StoreFixture.key(9)], to: chunk.sender)
        #expect(answer { _ = try store.addRecipients([StoreFixture.key(9)], to: chunk.sender) } == .quota)
    }

    @Test func `two relays never have one folder`() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        var other = fixture.settings
        other.log = nil
        var third = fixture.settings
        third.folder = fixture.folder.appending("elsewhere")
        var fourth = other
        fourth.folder = third.folder
        for settings in [fixture.settings, other, third, fourth] {
            do {
                _ = try ChunkStore(settings)
                Issue.record("it was opened twice")
            } catch let error as XFTPStoreError {
                #expect(error.code == .inUse)
            }
        }
        try store.close()
        #expect(answer { _ = try store.announce(1) } == .internal)
        try fixture.open().close()
    }

    @Test func `without a log a restart forgets all, and cleans up`() throws {
        var fixture = try StoreFixture()
        fixture.settings.log = nil
        let store = try fixture.open()
        let chunk = try store.send(1)
        try store.close()
        let next = try fixture.open()
        #expect(try next.sender(chunk.sender) == nil)
        #expect(next.startReport.removedBodies == 1)
        #expect(try fixture.bodies.isEmpty)
    }
}
