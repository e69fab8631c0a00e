import FaultInjection
import Foundation
import Testing
import ValiseSampleAccounts

@testable import Valise

/// Jobs whose account is not in its place any more when they are resumed.
struct ReplacedSourceTests {
    private let folder: TemporaryFolder
    private let account: AccountLocation
    private let archive: FilePath
    private let context: OperationContext
    /// A raw key, which needs no derivation.
    private static let key = "x'" + String(repeating: "5a", count: 32) + "'"

    init() throws {
        folder = try TemporaryFolder("valise-operations", inMemory: true)
        account = AccountLocation(directory: folder.appending("account"))
        archive = folder.appending("account.zip")
        try FileSystem().replace(folder.appending("key"), with: Array(Self.key.utf8))
        try PreparedFolder.place("a sample with unencrypted media", at: account.directory) {
            [account] _ in
            try SampleAccount(.init(mediaEncryption: .unencrypted)).build(
                account, passphrase: SecretBytes(copying: Array(Self.key.utf8)))
        }
        context = OperationContext(
            folders: ValiseFolders(state: folder.appending("state")), keepsJobs: true)
    }

    /// - Returns: what is known of the job that it leaves.
    private func interruptedExport() async throws -> OperationRecord {
        let job = try ArchiveExportJob(
            account, to: archive, ArchiveExport.Options(),
            JobPassphrase(.file(folder.appending("key")), isWanted: true))
        await #expect(throws: Interruption.self) {
            try await OperationJobs(context).run(job) { _, _ in throw Interruption() }
        }
        return try #require(try await ListOperations([.jobs]).run(in: context).records.first)
    }

    @Test func `the marks of an account stay with the job, also while the account is used`() async throws {
        let record = try await interruptedExport()
        let place = try #require(record.places.first)
        #expect(place.marks.count == 2 && !place.isReplaced)
        // A change of an account puts other files in place, of the same salt.
        for database in AccountDatabase.allCases {
            let copy = folder.appending("copy")
            try FileManager.default.copyItem(
                atPath: account.path(of: database).string, toPath: copy.string)
            try FileSystem().rename(copy, to: account.path(of: database))
        }
        #expect(!place.isReplaced)
        let again = try await interruptedExport()
        #expect(again.job?.id == record.job?.id)
        #expect(try await RunJobs().run(in: context).done == 1)
        #expect(try FileSystem().exists(archive))
    }

    @Test func `another account in the place of the first is not exported until that is asked for`()
        async throws
    {
        let record = try await interruptedExport()
        let other = AccountLocation(directory: folder.appending("other"))
        _ = try await CreateAccount(other) {
            SharedSecret(try SecretBytes(copying: Array(Self.key.utf8)))
        }
        .run(in: context)
        for database in AccountDatabase.allCases {
            try FileSystem().rename(other.path(of: database), to: account.path(of: database))
        }
        #expect(record.places.first?.isReplaced == true)
        let summary = try await RunJobs().run(in: context)
        #expect(summary.done == 0 && summary.needUser == 1)
        #expect(summary.left.first?.reason?.contains("was replaced by another file") == true)
        #expect(try !FileSystem().exists(archive))
        let again = try await interruptedExport()
        #expect(again.job?.id != record.job?.id && again.places.allSatisfy { !$0.isReplaced })
        #expect(try await RunJobs().run(in: context).done == 1)
        #expect(try FileSystem().exists(archive))
    }

    @Test func `a file is another one when neither its inode nor its content is the same`() throws {
        let path = folder.appending("file")
        try FileSystem().replace(path, with: [1, 2, 3])
        let before = try #require(JobSource.file(JobPath(path)).marks.first)
        #expect(!before.isReplaced)
        var file = try FileSystem().openForUpdating(path)
        try file.write([4, 5, 6, 7])
        try file.close()
        #expect(!before.isReplaced, "it was only changed")
        try FileSystem().replace(path, with: [1, 2, 3, 4])
        #expect(before.isReplaced)
        try FileSystem().remove(path)
        #expect(!before.isReplaced && JobSource.file(JobPath(path)).marks.isEmpty)
    }
}
