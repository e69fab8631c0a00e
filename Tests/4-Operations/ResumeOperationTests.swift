import FaultInjection
import Foundation
import Synchronization
import Testing
import ValiseSampleAccounts

@testable import Valise

/// An operation that was interrupted is resumed from its record, whatever has that.
struct ResumeOperationTests {
    /// Agrees to everything.
    private struct Agreeing: Questions {
        func passphrase(_ request: PassphraseRequest) async throws -> SharedSecret? { nil }
        func answer(_ question: Question) async throws -> Bool? { true }
    }

    private let folder: TemporaryFolder
    private let account: AccountLocation
    private let context: OperationContext
    private var state: FilePath { folder.appending("state") }
    private var source: PassphraseSource { .file(folder.appending("key")) }

    init() throws {
        folder = try TemporaryFolder("valise-resuming", inMemory: true)
        account = AccountLocation(directory: folder.appending("account"))
        // A raw key, which needs no derivation.
        let key = "x'" + String(repeating: "5a", count: 32) + "'"
        try FileSystem().replace(folder.appending("key"), with: Array(key.utf8))
        try PreparedFolder.place("a sample with unencrypted media", at: account.directory) { [account] _ in
            try SampleAccount(.init(mediaEncryption: .plain)).build(
                account, passphrase: SecretBytes(copying: Array(key.utf8)))
        }
        context = OperationContext(
            folders: ValiseFolders(state: folder.appending("state")), questions: Agreeing(), keepsJobs: true)
    }

    private func only(_ list: ListOperations) async throws -> OperationRecord {
        let records = try await list.run(in: context).records
        #expect(records.count == 1)
        return try #require(records.first)
    }

    /// Why it cannot be resumed, by its plan and by its run.
    private func refusal(_ record: OperationRecord) async throws -> OperationError {
        let operation = ResumeOperation(record)
        let planned = await #expect(throws: OperationError.self) { try await operation.plan(in: context) }
        let refused = await #expect(throws: OperationError.self) { _ = try await operation.run(in: context) }
        #expect(planned?.message == refused?.message)
        return try #require(refused)
    }

    @Test func `a job is run, and told before it leaves the list`() async throws {
        let archive = folder.appending("a.zip")
        let job = try ArchiveExportJob(
            account, to: archive, ArchiveExport.Options(), JobPassphrase(source, isWanted: true))
        await #expect(throws: Interruption.self) {
            try await OperationJobs(context).run(job) { _, _ in throw Interruption() }
        }
        let record = try await only(ListOperations([.jobs]))
        let listed = Mutex<[JobState]>([])
        var operation = ResumeOperation(record)
        operation.ended = { [context] _ in
            let records = try await ListOperations([.jobs], includesEnded: true).run(in: context).records
            listed.withLock { $0 = records.compactMap(\.job).map(\.state) }
        }
        #expect(try await operation.plan(in: context).id == record.id)
        guard case .job(let resumed) = try await operation.run(in: context) else {
            Issue.record("no job")
            return
        }
        #expect(resumed.job.state == .finished && resumed.failure == nil)
        #expect(listed.withLock { $0 } == [.finished])
        #expect(try FileSystem().exists(archive))
        let left = try await ListOperations([.jobs], includesEnded: true).run(in: context)
        #expect(left.records.isEmpty)
        #expect(try await refusal(record).need == .knownJob)
    }

    @Test func `an interrupted change of an account is rolled back`() async throws {
        let new = account.workFolder.appending("new")
        try FileSystem().makeDirectories(new)
        try FileSystem().replace(new.appending("file"), with: [1])
        let record = try await only(ListOperations([], accounts: [account]))
        #expect(try await ResumeOperation(record).plan(in: context).state == .undecided)
        guard case .account(let recovered) = try await ResumeOperation(record).run(in: context) else {
            Issue.record("no account")
            return
        }
        #expect(recovered.outcome == .rolledBack)
        #expect(try !FileSystem().exists(new))
        let error = await #expect(throws: OperationError.self) {
            try await ResumeOperation(record).plan(in: context)
        }
        #expect(error?.code == .notFound)
    }

    @Test func `a sent account needs the words, and a move that is over or unreadable is not resumed`()
        async throws
    {
        let archive = folder.appending("moved.zip")
        let send = SendAccount(account, by: .archive(archive, packs: false), passphrase: source)
        let sent = try await send.run(in: context)
        let record = try await only(ListOperations([.moves]))
        let unfinished = try await refusal(record)
        #expect(unfinished.need == .words)
        guard case .finishMove(let named)? = unfinished.remedy else {
            Issue.record("\(unfinished)")
            return
        }
        #expect(named.prefix == account.prefix)
        _ = try await FinishMove(of: account, words: sent.words).run(in: context)
        #expect(try await refusal(record).code == .invalid)

        try MoveRecordFixture(state: state).write("c3", to: account.directory, isDamaged: true)
        let moves = try await ListOperations([.moves], includesEnded: true).run(in: context).records
        let damaged = try #require(moves.first { $0.move?.isDamaged == true })
        let error = await #expect(throws: DeviceMigrationError.self) {
            try await ResumeOperation(damaged).run(in: context)
        }
        #expect(error?.remedy == .forgetMove("c3"))
    }

    @Test func `a move that another process is at is left to that`() async throws {
        try MoveRecordFixture(state: state).write("a1", to: folder.appending("target"))
        let record = try await only(ListOperations([.moves]))
        #expect(try await ResumeOperation(record).plan(in: context).id == "move a1")
        let lock = try #require(try DirectoryLock(state.appending("moves").appending("a1"), .exclusive))
        #expect(try await refusal(record).code == .inUse)
        withExtendedLifetime(lock) {}
    }

    @Test func `a download needs its links, and chunks of a killed relay lead nowhere`() async throws {
        let place = folder.appending(".valise-receive-film")
        let note = ReceivingNotes.Note(
            target: JobPath(folder.appending("film")), isFolder: false, folder: JobPath(place))
        let notes = try #require(ReceivingNotes(context.folders))
        await #expect(throws: Interruption.self) {
            try await notes.during(note) { () async throws -> Int in
                try FileSystem().makeDirectories(place)
                try FileSystem().replace(
                    place.appending("journal"), with: Array("valise transfer 1\n".utf8))
                throw Interruption()
            }
        }
        let download = try await refusal(only(ListOperations([.downloads])))
        #expect(download.need == .links && download.remedy == .giveCommandAgain)

        let left = state.appending("served-left")
        try FileSystem().makeDirectories(left)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: left.string)
        let relay = try await refusal(only(ListOperations([.relays])))
        #expect(relay.code == .gone && relay.remedy == .sendFileAgain)
    }

    @Test func `an upload whose journal cannot be read has to be started again`() async throws {
        let journal = state.appending("uploads").appending("upload-x")
        try FileSystem().makeDirectories(journal)
        try FileSystem().replace(journal.appending("journal"), with: Array("something else\n".utf8))
        let refused = try await refusal(only(ListOperations([.uploads])))
        #expect(refused.code == .damaged && refused.remedy == .startTransferOver)
    }
}
