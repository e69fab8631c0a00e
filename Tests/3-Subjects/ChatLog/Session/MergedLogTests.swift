import FaultInjection
import SessionBuilders
import SystemPackage
import Testing
import ValiseEncoding
import ValiseFailures
import ValiseFiles

@testable import ValiseChatLog
@testable import ValiseSessionStore

/// Stores of several devices as one account.
struct MergedLogTests {
    /// Some seeds, others in each run.
    private static let seeds: [UInt64] = [1, 2, UInt64.random(in: 3..<1_000_000)]

    // MARK: What there is

    @Test(arguments: seeds)
    func `each message of any device is there once`(_ seed: UInt64) throws {
        let devices = try MergedDevices(seed: seed)
        let found = try devices.findings().messages
        let union = devices.union
        #expect(found.count == union.count, "seed \(seed)")
        #expect(Set(found.map(\.message.row)).count == found.count, "seed \(seed)")
        #expect(
            Set(found.compactMap(\.message.identity?.text))
                == Set(union.compactMap { $0.hash ?? $0.communityNumber.map { String($0) } }), "seed \(seed)")
        for (index, device) in devices.devices.enumerated() {
            #expect(found.count { $0.stores.contains(index) } == device.story.messages.count, "seed \(seed)")
        }
    }

    @Test(arguments: seeds)
    func `conversations have the messages that their lines promise`(_ seed: UInt64) throws {
        let devices = try MergedDevices(seed: seed)
        let store = try devices.store()
        let found = try store.conversations(damaged: { throw $0 })
        #expect(Set(found.map(\.id)).count == found.count, "seed \(seed)")
        for conversation in found {
            var times: [UTCTime] = []
            var unread: Int64 = 0
            try store.forEachMessage(of: conversation.id, newest: nil, damaged: { throw $0 }) { message in
                message.time.map { times.append($0) }
                if message.isUnread == true { unread += 1 }
            }
            #expect(conversation.messages == Int64(times.count), "seed \(seed)")
            #expect((conversation.unread ?? 0) == unread, "seed \(seed)")
            #expect(times == times.sorted(), "seed \(seed)")
        }
    }

    @Test(arguments: seeds)
    func `files of all devices are found`(_ seed: UInt64) throws {
        let devices = try MergedDevices(seed: seed)
        let store = try devices.store()
        let files = try MergedItemFiles(store)
        let log = try SessionLog(store, now: SessionFixture.now, includesExpired: true)
        var count = 0
        for item in try log.allItems().values.joined() {
            guard let file = item.file, file.path != nil else { continue }
            guard case .file = try files.find(file) else {
                Issue.record("\(file) is not there, seed \(seed)")
                continue
            }
            count += 1
        }
        let expected = devices.union.flatMap { $0.files + [$0.linkPicture].compactMap(\.self) }
        #expect(count == expected.count(where: \.isThere), "seed \(seed)")
    }

    // MARK: Order

    @Test(arguments: seeds)
    func `the order of three devices does not matter`(_ seed: UInt64) throws {
        let devices = try MergedDevices(seed: seed, messages: 120, [.desktop, .phone, .desktop])
        let expected = try devices.lines()
        for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            #expect(try devices.lines(order) == expected, "seed \(seed), order \(order)")
        }
    }

    @Test(arguments: SessionFixture.Program.allCases)
    func `a device merged with itself is the device`(_ program: SessionFixture.Program) throws {
        let devices = try MergedDevices(seed: 5, [program])
        #expect(try devices.lines([0, 0]) == devices.lines([0]))
        #expect(try devices.findings([0, 0]).conflicts == [])
        let texts = try MergedDevices.lines(of: devices.devices[0].log()).count
        #expect(try devices.lines([0]).count == texts)
    }

    @Test func `what each rule takes does not depend on the grouping`() throws {
        let devices = try MergedDevices(seed: 9, [.desktop, .phone, .desktop])
        var byIdentity: [SessionIdentity: [SessionMessage]] = [:]
        for device in devices.devices {
            let store = try device.store()
            for conversation in try store.conversations(damaged: { throw $0 }) {
                try store.forEachMessage(of: conversation.id, newest: nil, damaged: { throw $0 }) {
                    byIdentity[try #require($0.identity), default: []].append($0)
                }
            }
        }
        func merged(_ messages: [SessionMessage]) -> SessionMessage {
            var merge = MessageMerge(
                messages.enumerated().map { MessageCopy(message: $1, store: $0) }, hasFile: { _ in true })
            return merge.message(number: 1, in: messages[0].conversation)
        }
        for messages in byIdentity.values where messages.count == 3 {
            let left = merged([merged([messages[0], messages[1]]), messages[2]])
            let right = merged([messages[0], merged([messages[1], messages[2]])])
            #expect(left == right)
            #expect(merged(messages) == left)
        }
    }

    // MARK: Accounts

    @Test func `devices of different accounts are refused`() throws {
        let (first, second) = (
            try SessionFixture(messages: 8), try SessionFixture(.phone, Story(seed: 99, messages: 8))
        )
        let devices = MergedDevices(first.story, [first, second])
        let error = #expect(throws: SessionStoreError.self) { try devices.store() }
        #expect(error?.kind == .invalid)
        let text = try #require(error?.message)
        for id in [first.story.ownID, second.story.ownID] {
            #expect(text.contains("\(id.prefix(8))…\(id.suffix(4))") && !text.contains(id))
        }
    }

    @Test func `a device without an ID of its own is taken`() throws {
        let story = Story(seed: 3, messages: 40)
        let first = try SessionFixture(.desktop, story)
        let second = try SessionFixture(.phone, story, statements: ["DELETE FROM identity"])
        let devices = MergedDevices(story, [first, second])
        #expect(try devices.store().ownID == story.ownID)
        #expect(try devices.findings().messages.count == 40)
    }

    // MARK: Many

    @Test func `memory does not grow with the messages`() throws {
        let count = FaultSweep.isIntact ? 20_000 : 2000
        let devices = try MergedDevices(seed: 4, messages: count)
        let log = try devices.log()
        let before = ProcessMemory.resident ?? 0
        var (items, most) = (0, 0)
        for conversation in try log.conversations() {
            try log.forEachItem(of: conversation, damaged: { throw $0 }) { _ in
                items += 1
                if items % 1000 == 0 { most = max(most, (ProcessMemory.resident ?? 0) - before) }
            }
        }
        #expect(items >= devices.union.count)
        #expect(most < 48 << 20, "\(most)")
    }
}
