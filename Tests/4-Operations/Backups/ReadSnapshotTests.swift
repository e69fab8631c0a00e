import FaultInjection
import Testing
import ValiseBackups
import ValiseChatLog

@testable import Valise

/// Snapshots that are listed, compared, and read in the place of accounts.
struct ReadSnapshotTests {
    private let fixture: SnapshotFixture
    private var latest: FilePath { FilePath("\(fixture.place)::latest") }

    init() throws { fixture = try SnapshotFixture() }

    @Test func `snapshots are listed by account, machine and tag`() async throws {
        let first = try fixture.backUp { $0.tags = ["weekly"] }
        let second = try fixture.backUp { $0.hostname = "elsewhere" }
        var operation = ListSnapshots(in: try fixture.input())
        let all = try await operation.run(in: fixture.context())
        #expect(all.snapshots.map(\.shortID) == [first, second] && all.count == 2)
        #expect(all.snapshots.allSatisfy { $0.paths == [fixture.account.directory.string] })
        operation.account = fixture.account
        operation.most = 1
        #expect(try await operation.run(in: fixture.context()).snapshots.map(\.shortID) == [second])
        operation.most = nil
        operation.tags = ["weekly"]
        #expect(try await operation.run(in: fixture.context()).snapshots.map(\.shortID) == [first])
        operation.hostname = "elsewhere"
        #expect(try await operation.run(in: fixture.context()).snapshots.isEmpty)
    }

    @Test func `a snapshot shows its files and how databases are kept`() async throws {
        let id = try fixture.backUp()
        let shown = try await ShowSnapshot(id, in: fixture.input()).run(in: fixture.context())
        #expect(shown.account?.databases.map(\.mode) == ["open", "open"])
        #expect(shown.account?.isComplete == true)
        let names = try fixture.fileSystem.list(fixture.account.filesFolder).compactMap(\.name)
        #expect(shown.files.count { $0.role == .media } == names.count)
        await #expect(throws: (any Error).self) {
            _ = try await ShowSnapshot("ffffffff", in: fixture.input()).run(in: fixture.context())
        }
    }

    @Test func `two snapshots are compared down to rows`() async throws {
        let first = try fixture.backUp()
        let same = try await CompareSnapshots(first, "latest", in: fixture.input()).run(
            in: fixture.context())
        #expect(same.comparison.isSame)
        try fixture.use(fixture.account)
        let second = try fixture.backUp()
        let compared = try await CompareSnapshots(first, second, in: fixture.input()).run(
            in: fixture.context())
        #expect(!compared.comparison.isSame && compared.comparison.later == .second)
        #expect(compared.comparison.databases.allSatisfy { $0.state == .compared })
        #expect(compared.comparison.first.path == "\(fixture.place)::\(first)")
    }

    @Test func `a snapshot is checked and compared as an account, without a passphrase`() async throws {
        try fixture.backUp()
        let context = fixture.context()
        let checked = try await CheckAccount(latest).run(in: context)
        // The sample has a photo too few.
        #expect(checked.verdict == .mediaProblems, "\(checked)")
        #expect(checked.path.hasPrefix("\(fixture.place)::"))
        #expect(try await fixture.compare(latest, fixture.account.directory).isSame)
    }

    @Test func `messages of a snapshot are those of the account`() async throws {
        try fixture.backUp()
        var input = ConversationInput(latest)
        let archived = try await ListConversations(input).run(in: fixture.context())
        input = ConversationInput(fixture.account.directory, passphrase: try fixture.source())
        let own = try await ListConversations(input).run(in: fixture.context())
        #expect(archived.conversations.map(\.key) == own.conversations.map(\.key))
        #expect(archived.conversations.map(\.items) == own.conversations.map(\.items))
    }

    @Test func `an export of a snapshot is the account, encrypted again`() async throws {
        try fixture.backUp()
        let archive = fixture.folder.appending("out.zip")
        let snapshot = try #require(try SnapshotName.find(latest))
        var operation = ExportAndRetain(
            of: snapshot.account, to: .file(archive), passphrase: try fixture.source())
        operation.snapshot = snapshot
        let plan = try await operation.plan(in: fixture.context())
        let report = try await operation.run(in: fixture.context())
        #expect(report.export.archiveErrors.isEmpty && report.export.entries == plan.export.entries)
        #expect(try await fixture.compare(archive, fixture.account.directory).isSame)
        let left = try fixture.fileSystem.list(fixture.folder.path).compactMap(\.name).sorted()
        #expect(left == ["account", "out.zip", "repository", "state"])
    }

    @Test func `names of snapshots are told from paths, and addresses keep their slashes`() throws {
        let remote = try #require(try SnapshotName("rest:https:/host/path::1a2b3c4d"))
        #expect(remote.repository.text == "rest:https://host/path" && remote.snapshot == "1a2b3c4d")
        #expect(try SnapshotName("rest:https://[::1]:8000/path") == nil)
        #expect(try SnapshotName("rest:https://[::1]:8000/path::latest")?.snapshot == "latest")
        for text in ["account", "::latest", "account::"] { #expect(try SnapshotName(text) == nil, "\(text)") }
        let folder = fixture.folder.appending("a::b")
        try fixture.fileSystem.makeDirectory(folder)
        #expect(try SnapshotName.find(folder) == nil)
    }
}
