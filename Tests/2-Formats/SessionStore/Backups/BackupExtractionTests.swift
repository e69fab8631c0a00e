import FaultInjection
import SessionBuilders
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles

@testable import ValiseSessionStore

/// What an extraction leaves on the disk, whatever fails.
struct BackupExtractionTests {
    private let folder: TemporaryFolder
    private let backup: SessionBackup

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        backup = try SessionBackup(
            BytesSource(SampleBackup.builder().bytes()), password: StoreVectors.secret(BackupBuilder.password)
        )
    }

    private var target: FilePath { folder.appending("out") }

    private static let names: Set = [
        "Attachments/", "Attachments/0a1b", "Attachments/empty", "_extra/", "_extra/key.enc", "database/",
        "database/Session.sqlite",
    ]

    @Test func `files and folders are for the user alone`() throws {
        _ = try backup.extract(into: target)
        let fileSystem = FileSystem()
        #expect(Set(try TemporaryFolder.contents(of: target).keys) == Self.names)
        for name in Self.names {
            let attributes = try #require(try fileSystem.attributes(of: target.appending(name)))
            let isFolder = attributes.kind == .directory
            #expect(
                attributes.permissions == (isFolder ? .ownerReadWriteExecute : .ownerReadWrite), "\(name)")
        }
    }

    @Test func `a folder that has something, a link to a folder and a file are refused`() throws {
        let fileSystem = FileSystem()
        try TestFiles.write([1], to: folder.appending("full/something"))
        try fileSystem.makeDirectory(folder.appending("empty"))
        try fileSystem.makeSymbolicLink(folder.appending("link"), to: "empty")
        let before = try TemporaryFolder.contents(of: folder.path)
        for name in ["full", "link", "full/something"] {
            let error = #expect(throws: SessionStoreError.self) {
                try backup.extract(into: folder.appending(name))
            }
            #expect(error?.kind == .invalid)
        }
        #expect(try TemporaryFolder.contents(of: folder.path) == before)
        _ = try backup.extract(into: folder.appending("empty"))
    }

    @Test func `a link that somebody puts into the folder meanwhile is not followed`() throws {
        let fileSystem = FileSystem()
        try fileSystem.makeDirectory(folder.appending("elsewhere"))
        try fileSystem.makeDirectory(target)
        var isDone = false
        #expect(throws: FileError.self) {
            try backup.extract(into: target) { _ in
                guard !isDone else { return }
                isDone = true
                try fileSystem.makeSymbolicLink(target.appending("Attachments"), to: "../elsewhere")
            }
        }
        #expect(isDone)
        #expect(try fileSystem.list(folder.appending("elsewhere")).isEmpty)
        #expect(try fileSystem.list(target).isEmpty)
    }

    @Test func `the free space is checked before anything is written`() throws {
        struct Full: FileInterposer {
            func verdict(on operation: FileOperation) -> FileOperationVerdict { .proceed }
            func freeSpace(_ space: Int64) -> Int64 { 1000 }
        }
        let error = #expect(throws: FileError.self) {
            try backup.extract(into: target, fileSystem: FileSystem(interposer: Full()))
        }
        #expect(error?.code == .noSpace)
        #expect(try !FileSystem().exists(target))
    }

    @Test func `each failure of the file system leaves the folder as it was`() throws {
        let counted = FaultPlan(.none)
        _ = try backup.extract(into: target, fileSystem: FileSystem(interposer: counted))
        try FileSystem().removeTree(target)
        #expect(counted.count > 15)
        for position in 1...counted.count {
            let plan = FaultPlan(.fail(.ioError), at: position)
            #expect(throws: FileError.self, "\(position)") {
                try backup.extract(into: target, fileSystem: FileSystem(interposer: plan))
            }
            #expect(try !FileSystem().exists(target), "\(position)")
        }
    }

    @Test func `a crash leaves complete files under their names, and one temporary file`() throws {
        let counted = FaultPlan(.none)
        _ = try backup.extract(into: target, fileSystem: FileSystem(interposer: counted))
        let complete = try TemporaryFolder.contents(of: target)
        try FileSystem().removeTree(target)
        for position in 2...counted.count {
            let plan = FaultPlan(.tornWrite, at: position)
            #expect(throws: (any Error).self) {
                try backup.extract(into: target, fileSystem: FileSystem(interposer: plan))
            }
            for (name, content) in try TemporaryFolder.contents(of: target)
            where name != ".valise-extraction.partial" {
                #expect(complete[name] == content, "\(position) \(name)")
            }
            try FileSystem().removeTree(target)
        }
    }

    @Test func `what was complete before damage is kept where that is asked for`() throws {
        var bytes = try SampleBackup.builder().bytes()
        bytes.removeLast(10)
        let damaged = try SessionBackup(
            BytesSource(bytes), password: StoreVectors.secret(BackupBuilder.password))
        let error = #expect(throws: SessionStoreError.self) {
            try damaged.extract(into: target, keepsComplete: true)
        }
        #expect(error?.kind == .damaged)
        let kept = try TemporaryFolder.contents(of: target)
        #expect(Set(kept.keys) == Self.names.subtracting(["_extra/", "_extra/key.enc"]))
        #expect(kept["Attachments/0a1b"] == SampleBackup.attachment)
    }
}
