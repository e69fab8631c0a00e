import FaultInjection
import SystemPackage
import Testing
import ValiseContentStore
import ValiseStorage

@testable import Valise

/// Operations on stores, as an app calls them.
struct StoreOperationTests {
    private let folder: TemporaryFolder
    private let input: StoreInput
    private let context: OperationContext

    init() throws {
        folder = try TemporaryFolder("valise-stores", inMemory: true)
        for name in ["store", "files"] { try FileSystem().makeDirectory(folder.appending(name)) }
        input = StoreInput(try StoreAddress(folder.appending("store").string))
        context = OperationContext(
            folders: ValiseFolders(state: folder.appending("state")), questions: RecordedAnswers(true))
    }

    private func put(_ name: String, _ text: String) async throws {
        let file = folder.appending("files").appending(name)
        try FileSystem().replace(file, with: Array(text.utf8))
        _ = try await PutIntoStore(file, into: input).run(in: context)
    }

    /// A store as a stranger may write it.
    private func writer() throws -> StoreWriter {
        let objects = FolderObjectStore(folder.appending("store"))
        return try StoreWriter(
            ContentStore(objects, StoreLayout(prefix: "")),
            WriterIdentity(device: "other", now: { 1_790_000_000 }))
    }

    @Test func `a link of a folder that would leave the target is not made`() async throws {
        try await put("a.txt", "a")
        // In the store, it stays inside.
        let link = try writer().uploadLink(to: "../a.txt", at: StorePath("sub/link"))
        #expect(link.outcome == .uploaded)
        _ = try writer().uploadLink(to: "here", at: StorePath("sub/inner"))
        let target = folder.appending("out")
        let fetched = try await GetFromStore("sub", from: input, to: target).run(in: context)
        #expect(fetched.entryFailures.count == 1 && fetched.entryFailures[0].entry == "sub/link")
        #expect(fetched.files == 1)
        #expect(try FileSystem().attributes(of: target.appending("link")) == nil)
        #expect(try FileSystem().attributes(of: target.appending("inner"))?.kind == .symbolicLink)
    }

    @Test func `nothing is written through a link that is in the way`() async throws {
        try await put("a.txt", "a")
        let outside = folder.appending("outside")
        try FileSystem().makeDirectory(outside)
        let target = folder.appending("out")
        try FileSystem().makeDirectory(target)
        try FileSystem().makeSymbolicLink(target.appending("sub"), to: outside.string)
        let file = folder.appending("files/a.txt")
        var operation = PutIntoStore(file, into: input)
        operation.path = "sub/a.txt"
        _ = try await operation.run(in: context)
        let fetched = try await GetFromStore(nil, from: input, to: target).run(in: context)
        #expect(fetched.entryFailures.map(\.entry) == ["sub/a.txt"])
        #expect(try FileSystem().list(outside).isEmpty)
    }

    @Test func `a plan changes nothing and says what would be`() async throws {
        try await put("a.txt", "a")
        let get = GetFromStore("a.txt", from: input, to: folder.appending("out"))
        let plan = try await get.plan(in: context)
        #expect(plan.created == [folder.appending("out")] && plan.bytesToProcess == 1)
        #expect(try !FileSystem().exists(folder.appending("out")))
        let push = PushFolder(FolderSynchronization(folder.appending("files"), input))
        try FileSystem().replace(folder.appending("files/b.txt"), with: Array("b".utf8))
        let planned = try await push.plan(in: context)
        #expect(planned.steps.map(\.path) == ["b.txt"] && planned.same == 1)
        #expect(try await push.plan(in: context).steps.map(\.path) == ["b.txt"])
        #expect(try await push.run(in: context).uploaded == 1)
        #expect(try await push.plan(in: context).steps.isEmpty)
    }

    @Test func `what would be lost is asked for, and a no changes nothing`() async throws {
        try await put("a.txt", "a")
        var asked = context
        asked.questions = RecordedAnswers(false)
        await #expect(throws: OperationError.self) {
            try await RemoveFromStore(["a.txt"], from: input).run(in: asked)
        }
        asked.questions = NoAnswers()
        await #expect(throws: OperationError.self) {
            try await RemoveFromStore(["a.txt"], from: input).run(in: asked)
        }
        let removed = try await RemoveFromStore(["a.txt"], from: input).run(in: context)
        #expect(removed.removed == ["a.txt"])
    }

    @Test func `a verification is remembered with what it read`() async throws {
        try await put("a.txt", "a")
        var verify = VerifyStore(input)
        verify.clock = { 1_790_000_000 }
        verify.reading = .none
        _ = try await verify.run(in: context)
        let memories = StoreMemories(context.folders)
        #expect(try memories.memory(of: input.address)?.lastVerification?.extent == "none")
        #expect(try memories.memory(of: input.address)?.lastCompleteReading == nil)
        for number in 1...2 {
            verify.reading = .part(number, of: 2)
            verify.clock = { 1_790_000_000 + Int64(number) }
            _ = try await verify.run(in: context)
        }
        #expect(try memories.memory(of: input.address)?.lastCompleteReading == 1_790_000_001)
        let chunks = try FileSystem().list(folder.appending("store/chunks"))
        let name = try #require(chunks.first?.name)
        try FileSystem().remove(folder.appending("store/chunks").appending(name))
        verify.reading = .all
        verify.clock = { 1_790_000_009 }
        let report = try await verify.run(in: context)
        #expect(!report.isIntact)
        // That nobody reads content again does not make it intact.
        verify.reading = .none
        let memory = try memories.memory(of: input.address)
        #expect(memory?.lastVerification?.hasSucceeded == false)
        #expect(memory?.lastCompleteReading == 1_790_000_001)
    }

    @Test func `a cancelled operation stops`() async throws {
        try await put("a.txt", "a")
        var stopping = context
        stopping.checkpoint = { throw Interruption() }
        await #expect(throws: Interruption.self) { try await VerifyStore(input).run(in: stopping) }
    }
}
