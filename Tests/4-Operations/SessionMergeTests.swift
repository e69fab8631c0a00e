import FaultInjection
import SessionBuilders
import Synchronization
import SystemPackage
import Testing
import ValiseChatLog
import ValiseEncoding
import ValiseFailures
import ValiseFiles

@testable import Valise

/// Merged exports of several devices.
struct SessionMergeTests {
    private let folder: TemporaryFolder
    private let notes = Notes()
    private static let story = Story(seed: 41, messages: 420)
    private static let now = UTCTime(seconds: 1_800_000_000)

    private var profile: FilePath { folder.appending("profile") }
    private var phone: FilePath { folder.appending("phone") }
    private var target: FilePath { folder.appending("merged") }

    init() throws { folder = try TemporaryFolder("valise-merges", inMemory: true) }

    private final class Notes: Sendable {
        private let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock { $0 } }

        func add(_ text: String) { texts.withLock { $0.append(text) } }
    }

    private func context(events: @escaping @Sendable (OperationEvent) -> Void = { _ in }) -> OperationContext
    {
        OperationContext(
            folders: ValiseFolders(state: folder.appending("state")), questions: nil,
            events: { [notes] in
                if case .note(let note) = $0 { notes.add(note.text) }
                events($0)
            })
    }

    /// Each has the messages that the other has, too, but for a few.
    private func write(_ lock: DesktopBuilder.Lock = .key, phone other: Story = story) throws {
        var builder = DesktopBuilder(lock: lock)
        builder.seal = DesktopBuilder.encryption
        var (first, second) = (Self.story, other)
        first.messages.removeAll { $0.number % 5 == 1 }
        second.messages.removeAll { $0.number % 7 == 2 }
        try builder.write(first, to: profile)
        try PhoneBuilder().write(second, to: phone)
        try TestFiles.write(PhoneBuilder.key, to: folder.appending("key"))
    }

    private func merge(_ stores: [FilePath]? = nil, to target: FilePath? = nil) -> MergeSessions {
        var merge = MergeSessions(stores ?? [profile, phone], to: target ?? self.target)
        merge.secrets = [.file(folder.appending("key"))]
        merge.includesExpired = true
        merge.now = Self.now
        return merge
    }

    private static var union: [StoryMessage] {
        story.messages.filter { $0.number % 5 != 1 || $0.number % 7 != 2 }
    }

    private static var shared: Int { story.messages.count { $0.number % 5 != 1 && $0.number % 7 != 2 } }

    private func lines(_ folder: FilePath) throws -> [JSONNode] {
        let path = folder.appending("merge.jsonl")
        let text = String(decoding: try FileSystem().contents(of: path, limit: 1 << 26), as: UTF8.self)
        return try text.split(separator: "\n").map { try #require(JSONNode(parsing: String($0))) }
    }

    // MARK: What is written

    @Test func `the export has all messages and files, and every reader reads it`() async throws {
        try write()
        let report = try await merge().run(in: context())
        #expect(report.damaged == [] && report.problems.isEmpty)
        #expect(report.messages == Int64(Self.union.count))
        #expect(report.shared == Int64(Self.shared))
        #expect(report.stores.map(\.kind) == [.desktop, .phone])
        let files = Self.union.flatMap { $0.files + [$0.linkPicture].compactMap(\.self) }
        #expect(report.copied + report.duplicates == files.count(where: \.isThere))
        let list = try await ListConversations(ConversationInput(target)).run(in: context())
        #expect(list.damaged == [])
        #expect(list.conversations.reduce(0) { $0 + $1.items } == report.messages)
        let log = try ExportedLog(target)
        var (rows, items): (Set<Int64>, Int) = ([], 0)
        for conversation in list.conversations {
            try log.forEachItem(of: conversation, newest: nil, damaged: { throw $0 }) { item in
                rows.insert(item.row)
                items += 1
            }
        }
        #expect(rows.count == Self.union.count)
        #expect(items > rows.count)
        let query = try #require(TextQuery("Message 1"))
        let found = try await SearchConversations(query, in: ConversationInput(target)) { _, _ in }
            .run(in: context())
        #expect(found.hits > 0)
        #expect(notes.all == [])
    }

    @Test func `the order of the stores changes no byte`() async throws {
        try write()
        let other = folder.appending("other")
        _ = try await merge().run(in: context())
        _ = try await merge([phone, profile], to: other).run(in: context())
        #expect(try TemporaryFolder.contents(of: target) == TemporaryFolder.contents(of: other))
    }

    @Test func `the record counts what came from where`() async throws {
        try write()
        let report = try await merge().run(in: context())
        let lines = try lines(target)
        #expect(lines.first?["type"]?.textValue == "sessionMerge")
        #expect(lines.first?["stores"]?.arrayValue?.map { $0["name"]?.textValue } == ["profile", "phone"])
        let chats = lines.filter { $0["type"]?.textValue == "mergedChat" }
        #expect(chats.count == report.chats)
        #expect(chats.compactMap { $0["messages"]?.integerValue }.reduce(0, +) == report.messages)
        let only = chats.flatMap { $0["stores"]?.arrayValue ?? [] }.compactMap { $0["only"]?.integerValue }
        #expect(only.reduce(0, +) == report.messages - report.shared)
        let conflicts = lines.filter { $0["type"]?.textValue == "mergeConflict" }
        #expect(conflicts.count == report.conflicts.values.reduce(0, +))
        #expect(conflicts.allSatisfy { $0["values"]?.arrayValue?.count == 2 && $0["row"] != nil })
    }

    @Test func `expired messages are left out, and nothing is told of them`() async throws {
        try write()
        var merge = merge()
        merge.includesExpired = false
        let report = try await merge.run(in: context())
        let expired = Self.union.count { $0.kind == .expired }
        #expect(report.expired == Int64(expired))
        #expect(report.messages == Int64(Self.union.count - expired))
        #expect(notes.all == ["left out \(expired) expired messages"])
    }

    @Test func `a plan writes nothing`() async throws {
        try write()
        let plan = try await merge().plan(in: context())
        #expect(plan.messages == Int64(Self.union.count) && plan.shared == Int64(Self.shared))
        #expect(try !FileSystem().exists(target))
    }

    @Test func `an export without files is written too`() async throws {
        try write()
        var merge = merge()
        merge.media = nil
        let report = try await merge.run(in: context())
        #expect(report.copied == 0 && report.messages == Int64(Self.union.count))
    }

    // MARK: What is refused

    @Test func `different accounts are refused before anything is written`() async throws {
        try write(phone: Story(seed: 42, messages: 40))
        let error = await #expect(throws: (any Error).self) { try await merge().run(in: context()) }
        #expect((error as? any Failure)?.code == .invalid)
        #expect("\(error!)".contains("different accounts"))
        #expect(try !FileSystem().exists(target))
        #expect(try !FileSystem().exists(PendingFile.partialPath(of: target)))
    }

    @Test func `a target that is there is refused`() async throws {
        try write()
        try TestFiles.write("kept", to: target)
        let error = await #expect(throws: OperationError.self) { try await merge().run(in: context()) }
        #expect(error?.code == .alreadyExists)
        #expect(try FileSystem().contents(of: target, limit: 10) == Array("kept".utf8))
    }

    @Test func `what is no store is refused`() async throws {
        try write()
        try TestFiles.write("no store", to: folder.appending("text"))
        let merge = merge([profile, folder.appending("text")])
        let error = await #expect(throws: OperationError.self) { try await merge.run(in: context()) }
        #expect(error?.code == .unsupported)
    }

    @Test func `a store that is there twice is refused`() async throws {
        try write()
        try FileSystem().makeSymbolicLink(folder.appending("link"), to: profile.string)
        for other in [profile, folder.appending("link"), folder.appending("phone/../profile")] {
            let merge = merge([profile, phone, other])
            let error = await #expect(throws: OperationError.self) { try await merge.run(in: context()) }
            #expect(error?.code == .invalid && error?.message.contains("twice") == true)
            await #expect(throws: OperationError.self) { try await merge.plan(in: context()) }
        }
        #expect(try !FileSystem().exists(target))
    }

    @Test func `a password that comes through a pipe opens several stores`() async throws {
        try write(.password("a long password"))
        let copy = folder.appending("copy")
        try TemporaryFolder.copyTree(profile, to: copy)
        let (reading, writing) = try FileDescriptor.pipe()
        defer { try? reading.close() }
        try writing.writeAll("a long password\n".utf8)
        try writing.close()
        var merge = merge([profile, copy])
        merge.secrets = [.file(FilePath("/dev/fd/\(reading.rawValue)"))]
        merge.media = nil
        let report = try await merge.run(in: context())
        #expect(report.messages == Int64(Self.story.messages.count { $0.number % 5 != 1 }))
    }

    @Test func `each secret is tried on every store`() async throws {
        try write(.password("a long password"))
        try TestFiles.write("a long password\n", to: folder.appending("password"))
        try TestFiles.write("wrong\n", to: folder.appending("wrong"))
        var merge = merge()
        merge.media = nil
        let names = ["wrong", "key", "password"]
        merge.secrets = names.map { .file(folder.appending($0)) }
        #expect(try await merge.run(in: context()).messages == Int64(Self.union.count))
        merge.target = folder.appending("again")
        merge.secrets = [.file(folder.appending("wrong")), .file(folder.appending("key"))]
        let error = await #expect(throws: (any Error).self) { try await merge.run(in: context()) }
        #expect((error as? any Failure)?.code == .wrongPassphrase)
    }

    @Test func `a merged export is not updated from one device`() async throws {
        try write()
        var merge = merge()
        merge.media = nil
        _ = try await merge.run(in: context())
        let before = try TemporaryFolder.contents(of: target)
        var export = ExportConversations(ConversationInput(profile), to: target)
        export.updates = true
        let update = export
        let error = await #expect(throws: OperationError.self) { try await update.run(in: context()) }
        #expect(error?.code == .invalid)
        #expect(try TemporaryFolder.contents(of: target) == before)
    }

    // MARK: Interruptions

    @Test func `a cancelled merge leaves nothing under its name, and the next one completes it`() async throws
    {
        try write()
        let task = Mutex<Task<SessionMergeReport, any Error>?>(nil)
        let cancels = context { event in
            guard case .progress(let progress) = event, progress.activity == "copying media" else { return }
            task.withLock { $0?.cancel() }
        }
        let merge = merge()
        task.withLock { $0 = Task { try await merge.run(in: cancels) } }
        let running = try #require(task.withLock { $0 })
        await #expect(throws: Interruption.self) { try await running.value }
        #expect(try !FileSystem().exists(target))
        #expect(try FileSystem().exists(PendingFile.partialPath(of: target)))
        _ = try await merge.run(in: context())
        let whole = folder.appending("whole")
        _ = try await self.merge(to: whole).run(in: context())
        #expect(try TemporaryFolder.contents(of: target) == TemporaryFolder.contents(of: whole))
        #expect(try !FileSystem().exists(PendingFile.partialPath(of: target)))
    }

    @Test func `where the disk cannot be written to nothing is under the name`() async throws {
        try write()
        try TestFiles.write("in the way", to: PendingFile.partialPath(of: target))
        await #expect(throws: (any Error).self) { try await merge().run(in: context()) }
        #expect(try !FileSystem().exists(target))
    }
}
