import FaultInjection
import Foundation
import Synchronization
import Testing
import ValiseSampleAccounts

@testable import Valise

/// What an app hears of operations that a later run resumes as jobs.
struct JobEventTests {
    private final class Heard: Sendable {
        let events = Mutex<[OperationEvent]>([])

        var changes: [JobChange] {
            events.withLock {
                $0.compactMap { if case .note(let note as JobChange) = $0 { note } else { nil } }
            }
        }
        var failures: [EntryFailure] {
            events.withLock {
                $0.compactMap { if case .entryFailed(let failure) = $0 { failure } else { nil } }
            }
        }
        var progress: Int { events.withLock { $0.count { if case .progress = $0 { true } else { false } } } }
    }

    private let folder: TemporaryFolder
    private let heard = Heard()
    private let account: AccountLocation
    private let context: OperationContext

    init() throws {
        folder = try TemporaryFolder("valise-operations", inMemory: true)
        account = AccountLocation(directory: folder.appending("account"))
        // A raw key, which needs no derivation.
        let key = "x'" + String(repeating: "5a", count: 32) + "'"
        try FileSystem().replace(folder.appending("key"), with: Array(key.utf8))
        try PreparedFolder.place("a sample with unencrypted media", at: account.directory) { [account] _ in
            try SampleAccount(.init(mediaEncryption: .unencrypted)).build(
                account, passphrase: SecretBytes(copying: Array(key.utf8)))
        }
        let heard = heard
        context = OperationContext(
            folders: ValiseFolders(state: folder.appending("state")), keepsJobs: true
        ) { event in heard.events.withLock { $0.append(event) } }
    }

    /// A job whose run was interrupted, and which one file of the account will fail in.
    /// - Returns: the name of the file.
    private func interruptedEncryption() async throws -> String {
        let files = account.filesFolder
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: files.string).sorted().first)
        let place = files.appending(name)
        try FileManager.default.moveItem(atPath: place.string, toPath: folder.appending("elsewhere").string)
        try FileManager.default.createSymbolicLink(
            atPath: place.string, withDestinationPath: folder.appending("elsewhere").string)
        let job = MediaEncryptionJob(
            account, MediaSelection(), JobPassphrase(.file(folder.appending("key")), isWanted: true))
        await #expect(throws: Interruption.self) {
            try await OperationJobs(context).run(job) { _, _ in throw Interruption() }
        }
        heard.events.withLock { $0 = [] }
        return name
    }

    @Test func `a run of all jobs tells how each goes, and which entries failed`() async throws {
        let name = try await interruptedEncryption()
        let summary = try await RunJobs().run(in: context)
        #expect(summary.done == 1 && summary.hasEntryErrors && summary.left.isEmpty)
        #expect(heard.failures.contains { $0.entry.hasSuffix(name) }, "\(heard.failures)")
        let changes = heard.changes
        guard case .started(let job)? = changes.first, case .ended(let end)? = changes.last else {
            Issue.record("\(changes)")
            return
        }
        #expect(job.id == end.id && end.state == .finished)
        #expect(changes.contains { if case .progressed = $0 { true } else { false } })
    }

    @Test func `one that is resumed alone tells as the operation itself does`() async throws {
        let name = try await interruptedEncryption()
        let job = try #require(try await ListOperations([.jobs]).run(in: context).records.first?.job)
        let resumed = try await ResumeJob(job.id).run(in: context)
        #expect(resumed.job.state == .finished && resumed.failure == nil)
        #expect(heard.failures.contains { $0.entry.hasSuffix(name) } && heard.progress > 0)
        let told = heard.failures
        let again = EncryptMedia(of: account, passphrase: .file(folder.appending("key")))
        #expect(told == (try await again.run(in: context)).entryFailures)
    }
}
