import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseCryptography
import ValiseFailures
import ValiseFiles
import ValiseXFTPWire

@testable import ValiseRelay

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a client was told, to be held against what a relay still knows.
private struct Told {
    var sent: [SentChunk] = []
    /// Acknowledged, and nobody asked for their removal.
    var uploaded: Set<EntityID> = []
    var removed: Set<EntityID> = []
    /// Recipients that were acknowledged, or may be.
    var acknowledged: Set<EntityID> = []
    var uncertain: Set<EntityID> = []
}

/// A day of a relay with a fault at each of its operations on files. Whatever happens, what was acknowledged is there,
/// what was removed is not, and nobody gets other bytes than were sent.
struct StoreFaultTests {
    enum Fault: CaseIterable, Sendable {
        case crash, tornWrite, inputOutput, noSpace, shortWrite, powerCut

        var plan: FaultPlan.Fault {
            switch self {
            case .crash: .crash
            case .tornWrite: .tornWrite
            case .inputOutput: .fail(.ioError)
            case .noSpace: .fail(.noSpace)
            case .shortWrite: .shortWrite
            case .powerCut: .none
            }
        }
    }

    /// Every operation takes half a minute; without `VALISE_SOAK` every sixth has to do, not always the same.
    private static let step = getenv("VALISE_SOAK") == nil ? 6 : 1

    @Test(arguments: Fault.allCases)
    func `a fault at each operation loses nothing that was acknowledged`(fault: Fault) throws {
        var number = Int.random(in: 1 - Self.step...0)
        while true {
            number += Self.step
            let fixture = try StoreFixture(quota: 10_000)
            var told = Told()
            try Self.prepare(fixture, &told)
            let (wasReached, leave) = try Self.run(fixture, fault, number, &told)
            try leave()
            try Self.verify(fixture, told, "\(fault) at \(number)")
            if !wasReached { break }
        }
        #expect(number > 60 - Self.step, "there are that many operations at least")
    }

    private static func prepare(_ fixture: StoreFixture, _ told: inout Told) throws {
        let store = try fixture.open()
        for chunk in 0..<4 {
            told.sent.append(try store.send(chunk, recipients: 2))
            told.uploaded.insert(told.sent[chunk].sender)
        }
        try store.acknowledge(told.sent[0].recipients[0])
        told.acknowledged.insert(told.sent[0].recipients[0])
        try store.close()
    }

    private static func run(
        _ fixture: StoreFixture, _ fault: Fault, _ number: Int, _ told: inout Told
    ) throws -> (wasReached: Bool, leave: () throws -> Void) {
        if fault == .powerCut {
            let cut = try PowerCut(
                [fixture.folder.path, fixture.settings.folder, fixture.folder.appending("log")], at: number)
            day(fixture, FileSystem(interposer: cut), &told)
            return (cut.wasReached, cut.leaveWhatIsDurable)
        }
        let plan = FaultPlan(fault.plan, at: number)
        day(fixture, FileSystem(interposer: plan), &told)
        return (plan.wasReached, {})
    }

    /// Everything that a relay does, each operation whether the one before worked or not.
    private static func day(_ fixture: StoreFixture, _ fileSystem: FileSystem, _ told: inout Told) {
        guard let store = try? fixture.open(fileSystem) else { return }
        for number in 10..<13 {
            guard let chunk = try? store.announce(number, recipients: 2) else { continue }
            told.sent.append(chunk)
            if (try? store.upload(chunk)) != nil { told.uploaded.insert(chunk.sender) }
        }
        let last = told.sent.count - 1
        if let more = try? store.addRecipients([StoreFixture.key(9)], to: told.sent[last].sender) {
            told.sent[last].recipients += more
        }
        let recipient = told.sent[1].recipients[0]
        told.uncertain.insert(recipient)
        if (try? store.acknowledge(recipient)) != nil { told.acknowledged.insert(recipient) }
        try? store.compact()
        remove(told.sent[2].sender, &told) { try store.delete($0) }
        let blocked = told.sent[3]
        remove(blocked.sender, &told) { _ in try store.block(blocked.recipients[0], BlockingInfo(.spam)) }
        if let again = try? store.announce(20) {
            told.sent.append(again)
            if (try? store.upload(again)) != nil { told.uploaded.insert(again.sender) }
        }
        check(store, told, "while it runs")
        try? store.close()
    }

    private static func remove(_ sender: EntityID, _ told: inout Told, _ body: (EntityID) throws -> Void) {
        told.uploaded.remove(sender)
        if (try? body(sender)) != nil { told.removed.insert(sender) }
    }

    private static func verify(_ fixture: StoreFixture, _ told: Told, _ comment: Comment) throws {
        let store = try fixture.open()
        #expect(store.startReport.badLineCount == 0, comment)
        check(store, told, comment)
        let bodies = try FileSystem().list(fixture.settings.folder)
        #expect(try bodies.count == store.usage.uploaded, comment)
        #expect(
            try store.usage.usedSpace == Int64(100 * bodies.count) && store.usage.reservedSpace == 0, comment)
        let chunk = try store.send(99)
        #expect(try store.content(chunk.recipients[0]) == chunk.content, comment)
        try store.close()
        let again = try fixture.open()
        check(again, told, comment)
        // Expiry ends all, and leaves nothing behind.
        fixture.clock.advance(by: 10 * 86_400)
        let count = try again.usage.chunks
        #expect(try again.expire() == count, comment)
        #expect(try again.usage.chunks == 0 && again.usage.usedSpace == 0, comment)
        #expect(try FileSystem().list(fixture.settings.folder).isEmpty, comment)
    }

    private static func check(_ store: ChunkStore, _ told: Told, _ comment: Comment) {
        for chunk in told.sent {
            for recipient in chunk.recipients {
                var content: [UInt8]?
                _ = answer { content = try store.content(recipient) }
                if told.acknowledged.contains(recipient) || told.removed.contains(chunk.sender) {
                    #expect(content == nil, comment)
                } else if told.uploaded.contains(chunk.sender), !told.uncertain.contains(recipient) {
                    #expect(content == chunk.content, comment)
                } else if let content {
                    #expect(content == chunk.content, comment)
                }
            }
        }
    }

    // MARK: Full disks

    /// Every removal makes room for one write; there is no other.
    private final class FullDisk: FileInterposer {
        private let available = Mutex<Int?>(nil)

        func fill() { available.withLock { $0 = 0 } }

        func verdict(on operation: FileOperation) -> FileOperationVerdict {
            available.withLock { available in
                guard let free = available else { return .proceed }
                switch operation {
                case .remove: available = free + 1
                case .write(_, let count) where count > 0:
                    if free == 0 { return .fail(.noSpace) }
                    available = free - 1
                default: break
                }
                return .proceed
            }
        }
    }

    @Test func `a full disk refuses uploads as a quota, and lets chunks be deleted and expire`() throws {
        let fixture = try StoreFixture()
        let disk = FullDisk()
        let store = try fixture.open(FileSystem(interposer: disk))
        let kept = try store.send(1)
        let deleted = try store.send(2)
        let coming = try store.announce(3)
        disk.fill()
        #expect(answer { _ = try store.announce(4) } == .quota)
        #expect(answer { try store.upload(coming) } == .quota)
        #expect(try store.usage.reservedSpace == 0)
        try store.delete(deleted.sender)
        #expect(try store.content(kept.recipients[0]) == kept.content)
        fixture.clock.advance(by: 10 * 86_400)
        #expect(try store.expire() == 2)
        #expect(try fixture.bodies.isEmpty)
    }

    @Test func `a log that cannot be put right takes nothing until it can`() throws {
        let fixture = try StoreFixture()
        let log = try #require(fixture.settings.log)
        let broken = BrokenFile(log)
        let store = try fixture.open(FileSystem(interposer: broken))
        let chunk = try store.send(1)
        let lines = try fixture.logLines
        broken.isBroken = true
        for number in 0..<3 { #expect(answer { _ = try store.announce(number) } == .fileIO) }
        #expect(answer { try store.delete(chunk.sender) } == .fileIO)
        broken.isBroken = false
        let second = try store.send(2)
        #expect(try fixture.logLines.prefix(lines.count).elementsEqual(lines))
        #expect(try fixture.logLines.count == lines.count + 3)
        try store.close()
        #expect(try fixture.open().content(second.recipients[0]) == second.content)
    }

    @Test func `what could not be removed to the end can be uploaded again`() throws {
        let fixture = try StoreFixture()
        let log = try #require(fixture.settings.log)
        let removals: [(ChunkStore, SentChunk) throws -> Void] = [
            { try $0.delete($1.sender) }, { try $0.block($1.recipients[0], BlockingInfo(.spam)) },
            { store, _ in
                fixture.clock.advance(by: 10 * 86_400)
                defer { fixture.clock.advance(by: -10 * 86_400) }
                _ = try store.expire()
            },
        ]
        for remove in removals {
            let broken = BrokenFile(log)
            let store = try fixture.open(FileSystem(interposer: broken))
            let chunk = try store.send(1)
            broken.isBroken = true
            #expect(answer { try remove(store, chunk) } == .fileIO)
            broken.isBroken = false
            #expect(try store.usage.uploaded == 0 && store.usage.usedSpace == 0)
            #expect(answer { _ = try store.open(chunk.recipients[0]) } == .auth)
            #expect(try store.upload(chunk), "it is stored, not thrown away")
            #expect(try store.content(chunk.recipients[0]) == chunk.content)
            try store.close()
            let next = try fixture.open()
            #expect(try next.usage.usedSpace == 100)
            try next.delete(chunk.sender)
            try next.close()
        }
    }

    @Test func `a body that somebody took away can be uploaded again`() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        for isCut in [false, true] {
            let chunk = try store.send(isCut ? 1 : 2)
            let path = fixture.settings.folder.appending(try #require(try fixture.bodies.first))
            try FileSystem().remove(path)
            if isCut { try FileSystem().replace(path, with: [1, 2, 3]) }
            #expect(try !store.upload(chunk), "nobody knows yet")
            #expect(answer { _ = try store.open(chunk.recipients[0]) } == .auth)
            #expect(try store.usage.usedSpace == 0)
            #expect(try store.upload(chunk))
            #expect(try store.content(chunk.recipients[0]) == chunk.content)
            try store.delete(chunk.sender)
        }
    }

    @Test func `after a flush of the folder that failed no chunk is taken until a restart`() throws {
        let fixture = try StoreFixture()
        let broken = BrokenFlush(fixture.settings.folder)
        let store = try fixture.open(FileSystem(interposer: broken))
        let kept = try store.send(1)
        let chunk = try store.announce(2)
        // That it could not be opened says nothing of the disk.
        broken.next = .tooManyOpenFiles
        #expect(answer { try store.upload(chunk) } == .fileIO)
        #expect(try store.upload(chunk))
        let lost = try store.announce(3)
        broken.next = .ioError
        for _ in 0..<3 { #expect(answer { try store.upload(lost) } == .fileIO) }
        #expect(throws: XFTPStoreError.self) { try store.compact() }
        #expect(try fixture.bodies.count == 2 && store.usage.reservedSpace == 0)
        for chunk in [kept, chunk] { #expect(try store.content(chunk.recipients[0]) == chunk.content) }
        try store.delete(kept.sender)
        try store.close()
        let next = try fixture.open()
        #expect(try next.upload(lost))
    }

    /// Fails one flush of a folder.
    private final class BrokenFlush: FileInterposer {
        private let path: FilePath
        private let errno = Mutex<Errno?>(nil)

        init(_ path: FilePath) { self.path = path }

        var next: Errno? {
            get { errno.withLock { $0 } }
            set { errno.withLock { $0 = newValue } }
        }

        func verdict(on operation: FileOperation) -> FileOperationVerdict {
            guard operation == .synchronize(path) else { return .proceed }
            return errno.withLock { errno in
                defer { errno = nil }
                return errno.map { .fail($0) } ?? .proceed
            }
        }
    }

    /// Writes half of what it is given and then fails, and cannot be cut either, as long as it is broken.
    private final class BrokenFile: FileInterposer {
        private let path: FilePath
        private let state = Mutex((isBroken: false, halves: 0))

        init(_ path: FilePath) { self.path = path }

        var isBroken: Bool {
            get { state.withLock { $0.isBroken } }
            set { state.withLock { $0.isBroken = newValue } }
        }

        func verdict(on operation: FileOperation) -> FileOperationVerdict {
            state.withLock { state in
                guard state.isBroken, case .write(path, let count) = operation else { return .proceed }
                state.halves += 1
                return count > 1 && state.halves == 1 ? .shorten(to: count / 2) : .fail(.ioError)
            }
        }
    }
}
