import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFiles

/// Files that only replace those from which they were made.
struct ConditionalMergeTests {
    private let account: ChangedAccount
    private let growth: Int64 = 16
    private static let time: (Int64, Int64) = (1_700_000_000, 123_456_789)

    init() throws {
        account = try ChangedAccount()
    }

    private var files: FilePath { account.location.filesFolder }

    private func write(
        _ path: FilePath, _ size: Int, _ byte: UInt8, time: (Int64, Int64) = time
    ) throws {
        try account.fileSystem.replace(path, with: [UInt8](repeating: byte, count: size))
        try account.fileSystem.openForUpdating(path).setModificationTime(time.0, nanoseconds: time.1)
    }

    private func makeFiles() throws {
        try account.reset()
        try write(files.appending("same"), 100, 1)
        try write(files.appending("resized"), 101, 1)
        try write(files.appending("seconds"), 100, 1, time: (Self.time.0 + 1, Self.time.1))
        try write(files.appending("nanoseconds"), 100, 1, time: (Self.time.0, Self.time.1 + 1))
        try account.fileSystem.makeDirectory(files.appending("folder"))
        try write(files.appending("other"), 100, 1)
    }

    private static let names = ["same", "resized", "seconds", "nanoseconds", "folder", "missing"]

    private func change(_ fileSystem: FileSystem = FileSystem(), into target: String? = nil) throws {
        let change = try account.prepare(fileSystem)
        let folder = try change.stageFolder(
            "files", mergingInto: target ?? account.location.filesName, growth: growth)
        for name in Self.names { try write(folder.appending(name), 116, 2) }
        try change.commit()
    }

    private func expectMerged(_ note: String = "") throws {
        let found = try TemporaryFolder.contents(of: files)
        #expect(found["same"] == [UInt8](repeating: 2, count: 116), "\(note)")
        #expect(found["resized"] == [UInt8](repeating: 1, count: 101), "\(note)")
        for name in ["seconds", "nanoseconds", "other"] {
            #expect(found[name] == [UInt8](repeating: 1, count: 100), "\(note)")
        }
        #expect(found.keys.sorted() == ["folder/", "nanoseconds", "other", "resized", "same", "seconds"])
        #expect(try !account.fileSystem.exists(account.workFolder))
    }

    @Test func `a file that was changed or removed since stays as it is`() throws {
        try makeFiles()
        try change()
        try expectMerged()
    }

    @Test func `so it is wherever it is interrupted`() throws {
        var position = 1
        var reached = true
        var completed = 0
        while reached {
            try makeFiles()
            let plan = FaultPlan(.crash, at: position)
            _ = try? change(FileSystem(interposer: plan))
            reached = plan.wasReached
            if let recovery = try account.open().recovery, recovery.state == .after {
                completed += 1
                try expectMerged("operation \(position)")
            }
            position += 1
        }
        #expect(completed > 10)
    }

    @Test func `a folder that is not there is not made`() throws {
        try makeFiles()
        try change(into: account.location.filesName + "/gone")
        #expect(try !account.fileSystem.exists(files.appending("gone")))
        #expect(try account.databases() == [ChangedAccount.new, ChangedAccount.new])
        #expect(try !account.fileSystem.exists(account.workFolder))
    }

    @Test func `a journal of an older version merges as it did`() throws {
        try makeFiles()
        let staged = account.workFolder.appending("new").appending("files")
        try account.fileSystem.makeDirectories(staged)
        try write(staged.appending("seconds"), 116, 2)
        try account.fileSystem.replace(
            account.workFolder.appending("journal.json"),
            with: Array(
                #"""
                {"act":"x","keepsBackup":false,"dropsBackup":false,"version":1,"steps":[{"merge":
                {"staged":".valise-simplex_v1/new/files","target":"simplex_v1_files"}}]}
                """#.utf8))
        #expect(try account.open().recovery?.state == .after)
        #expect(try account.content(of: files.appending("seconds")) == [UInt8](repeating: 2, count: 116))
    }
}
