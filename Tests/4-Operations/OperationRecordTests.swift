import FaultInjection
import Foundation
import TestPeers
import Testing

@testable import Valise

/// What is known of operations that have no job.
struct OperationRecordTests {
    private let folder: TemporaryFolder
    private let state: FilePath
    private var context: OperationContext { OperationContext(folders: ValiseFolders(state: state)) }

    init() throws {
        folder = try TemporaryFolder("valise-records", inMemory: true)
        state = folder.appending("state")
    }

    private func records(_ kind: ListOperations.Kind) async throws -> [OperationRecord] {
        try await ListOperations([kind]).run(in: context).records
    }

    private func note(_ name: String) -> ReceivingNotes.Note {
        ReceivingNotes.Note(
            target: JobPath(folder.appending(name)), isFolder: false,
            folder: JobPath(folder.appending(".valise-receive-\(name)")))
    }

    private func journal(_ note: ReceivingNotes.Note) -> FilePath { note.folder.path.appending("journal") }

    /// As a download that is interrupted when it has just begun.
    private func interrupt(_ note: ReceivingNotes.Note) async throws {
        let notes = try #require(ReceivingNotes(context.folders))
        await #expect(throws: Interruption.self) {
            try await notes.during(note) { () async throws -> Int in
                try FileSystem().makeDirectories(note.folder.path)
                try FileSystem().replace(journal(note), with: Array("valise transfer 1\n".utf8))
                throw Interruption()
            }
        }
    }

    @Test func `a download that was interrupted is listed until nothing of it is left`() async throws {
        #expect(try await records(.downloads).isEmpty && UnfinishedWork.find(context.folders) == nil)
        let film = note("film")
        try await interrupt(film)
        let record = try #require(try await records(.downloads).first)
        guard case .download(let place) = record.origin else {
            Issue.record("\(record)")
            return
        }
        #expect(place.string == film.folder.absolute && record.state == .undecided)
        #expect(record.title == "download of \(film.target.absolute)")
        #expect(record.places.map(\.path.string) == [film.target.absolute, film.folder.absolute])
        #expect(record.leftovers == .receivedChunks)
        #expect(UnfinishedWork.find(context.folders)?.downloads == [record.title])
        let notes = try #require(ReceivingNotes(context.folders))
        let size = try await notes.during(film) {
            try FileSystem().removeTree(film.folder.path)
            return 1
        }
        #expect(size == 1)
        #expect(try await records(.downloads).isEmpty)
        #expect(try FileSystem().list(state.appending("downloads")).isEmpty)
    }

    @Test func `what was found is found once, until it has changed`() async throws {
        let folders = context.folders
        func news() -> [String]? { UnfinishedWork.findNews(folders)?.downloads }
        #expect(news() == nil)
        try await interrupt(note("film"))
        #expect(news()?.count == 1 && news() == nil)
        try await interrupt(note("song"))
        #expect(news()?.count == 2 && news() == nil)
        #expect(UnfinishedWork.find(folders)?.downloads.count == 2)
        // Beside the queue is no name of what is in it.
        let remembered = try FileSystem().contents(of: state.appending("reported"), limit: 1000)
        #expect(String(decoding: remembered, as: UTF8.self).contains(#/^[0-9a-f]{32}$/#))
        try FileSystem().removeTree(note("film").folder.path)
        #expect(news()?.count == 1 && news() == nil)
        try FileSystem().removeTree(note("song").folder.path)
        #expect(news() == nil)
    }

    @Test func `one that another run is at is no unfinished work`() async throws {
        let film = note("film")
        try await interrupt(film)
        let file = try FileSystem().openForUpdating(journal(film))
        let isLocked = try file.lockRange(.exclusive, start: 0, length: 1)
        let state = try await records(.downloads).first?.state
        #expect(isLocked && state == .running(nil))
        #expect(UnfinishedWork.find(context.folders) == nil)
        _ = try file.size()
    }

    @Test func `one that a job has is the job's to list, also while that runs`() async throws {
        let description = Repository.fixture("transfers/files/size-0/rcv1.xftp").path
        let job = FileDownloadJob(
            references: try FileReferences.forLater([description]),
            target: JobPath(folder.appending("film")), isFolder: false, replaces: false, keyOutput: nil,
            largest: nil, staysOnRelays: true, approvesRelays: true, proxy: nil, previous: nil)
        let place = try #require(job.receivingFolder)
        // Nothing was received yet that could be removed.
        #expect(job.leftovers == nil)
        try await interrupt(ReceivingNotes.Note(target: job.target, isFolder: false, folder: place))
        #expect(job.leftovers == .receivedChunks)
        #expect(UnfinishedWork.find(context.folders)?.downloads == [job.title])
        let keeping = OperationContext(folders: ValiseFolders(state: state), keepsJobs: true)
        await #expect(throws: Interruption.self) {
            try await OperationJobs(keeping).run(job) {
                (context: OperationContext, session: JobSession) async throws -> Void in
                // It has not opened the journal yet.
                #expect(session.job != nil && UnfinishedWork.find(context.folders) == nil)
                let listed = try await ListOperations([.downloads]).run(in: context)
                #expect(listed.records.isEmpty)
                throw Interruption()
            }
        }
        let left = try #require(UnfinishedWork.find(context.folders))
        #expect(left.pending == 1 && left.downloads.isEmpty)
    }

    @Test func `a note that cannot be read, or leads to no download, is passed over`() async throws {
        let other = ReceivingNotes.Note(
            target: JobPath(folder.appending("other")), isFolder: true,
            folder: JobPath(folder.appending("folder")))
        try await interrupt(other)
        #expect(try FileSystem().list(state.appending("downloads")).count == 1)
        try FileSystem().replace(state.appending("downloads").appending("x.json"), with: [0])
        #expect(try await records(.downloads).isEmpty)
    }

    @Test func `the source of an upload is known again, and another file in its place is not it`() throws {
        let path = folder.appending("film")
        try FileSystem().replace(path, with: [1, 2, 3])
        let attributes = try #require(try FileSystem().attributes(of: path))
        let place = OperationRecord.Place(path, source: SourceIdentity(path, attributes))
        #expect(place.marks.count == 1 && !place.isReplaced)
        try FileSystem().replace(path, with: [1, 2, 3, 4])
        #expect(place.isReplaced)
        let unknown = OperationRecord.Place(path, source: nil)
        #expect(unknown.marks.isEmpty && !unknown.isReplaced)
    }

    @Test func `marks of files are written under the keys that jobs always had`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        for head in ["", #""head":"5a5a","#] {
            let text = #"{\#(head)"inode":9007199254740993,"modified":1,"modifiedNanoseconds":2,"size":3}"#
            let mark = try JSONDecoder().decode(JobFileMark.self, from: Data(text.utf8))
            #expect(mark.inode == 9_007_199_254_740_993 && mark.size == 3)
            #expect((mark.head == nil) == head.isEmpty)
            #expect(String(decoding: try encoder.encode(mark), as: UTF8.self) == text)
        }
    }

    @Test func `an account's journal says which databases are replaced, and its lock which process is at it`()
        async throws
    {
        let account = AccountLocation(directory: folder.appending("account"))
        try FileSystem().makeDirectories(account.workFolder)
        var stamps: [String] = []
        for database in AccountDatabase.allCases {
            let path = account.path(of: database)
            try FileSystem().replace(path, with: [1, 2, 3])
            let found = try #require(try FileSystem().attributes(of: path))
            let modified = "[\(found.modificationTime),\(found.modificationNanoseconds)]"
            stamps.append(
                #""simplex_v1\#(database.suffix)":{"inode":\#(found.inode),"size":3,"modified":\#(modified)}"#
            )
        }
        let head = #"{"version":1,"act":"import","steps":[],"keepsBackup":false,"dropsBackup":false"#
        func record(_ replaced: String) async throws -> OperationRecord {
            let journal = account.workFolder.appending("journal.json")
            try FileSystem().replace(journal, with: Array("\(head)\(replaced)}".utf8))
            let found = try await ListOperations([], accounts: [account]).run(in: context).records
            return try #require(found.first)
        }
        let old = try await record("")
        #expect(old.state == .decided && old.places.first?.marks.isEmpty == true)
        let replaced = ",\"replaced\":{\(stamps.joined(separator: ","))}"
        let decided = try await record(replaced)
        let place = try #require(decided.places.first)
        #expect(place.path == account.directory && place.marks.count == 2)
        for (mark, database) in zip(place.marks, AccountDatabase.allCases) {
            let found = try #require(try FileSystem().attributes(of: account.path(of: database)))
            #expect(mark.mark.inode == found.inode && mark.mark.size == 3)
        }
        // Another one is there on purpose, once the change is complete.
        try FileSystem().replace(account.path(of: .chat), with: [4])
        #expect(!place.isReplaced)
        let lock = try #require(try DirectoryLock(account.directory, .exclusive))
        try expectRunning(try await record(replaced))
        await #expect(throws: AccountError.self) { try await RecoverAccount(account).plan(in: context) }
        withExtendedLifetime(lock) {}
    }

    private func expectRunning(_ record: OperationRecord) throws {
        guard case .running(let process) = record.state else {
            Issue.record("\(record)")
            return
        }
        #if os(Linux)
            let own = ProcessIdentity.current
            #expect(process == own && record.stateText == "running (PID \(own))")
        #else
            #expect(process == nil && record.stateText == "running")
        #endif
    }

    /// The record of a received move whose import has begun.
    private func writeMove(to account: FilePath, replacing databases: Int) throws {
        let previous = (0..<databases).map {
            #"{"inode":\#($0 + 7),"size":3,"modificationTime":1,"modificationNanoseconds":2}"#
        }
        try MoveRecordFixture(state: state).write("a1", to: account, previous: previous)
    }

    @Test func `a received move's record says what it replaces, also where a job has it, and who is at it`()
        async throws
    {
        let account = folder.appending("account")
        try FileSystem().makeDirectories(account)
        try writeMove(to: account, replacing: 1)
        #expect(try await records(.moves).first?.places.first?.marks.isEmpty == true)
        try writeMove(to: account, replacing: 2)
        let move = try #require(try await records(.moves).first)
        #expect(move.state == .undecided && move.places.first?.marks.map(\.mark.inode) == [7, 8])
        #expect(move.leftovers == .receivedAccount(AccountLocation(directory: account)))
        let document = String(decoding: try JSONEncoder().encode(move.move), as: UTF8.self)
        #expect(document.contains("isNewer") && !document.contains("replaced"), "\(document)")
        let lock = try #require(try DirectoryLock(state.appending("moves").appending("a1"), .exclusive))
        try expectRunning(try #require(try await records(.moves).first))
        withExtendedLifetime(lock) {}

        let job = MoveReceiveJob(
            account: JobAccount(AccountLocation(directory: account)), links: [], archive: nil,
            replacesAccount: true, replacesNewer: false, acknowledges: true, schema: nil, networkConfig: nil,
            approvesRelays: true, proxy: nil,
            passphrase: JobPassphrase(.file(folder.appending("key")), isWanted: true), isConfirmed: true)
        let keeping = OperationContext(folders: ValiseFolders(state: state), keepsJobs: true)
        await #expect(throws: Interruption.self) {
            try await OperationJobs(keeping).run(job) {
                (context: OperationContext, session: JobSession) async throws -> Void in
                throw Interruption()
            }
        }
        let listed = try await ListOperations([.jobs, .moves]).run(in: context).records
        #expect(listed.count == 1 && listed.first?.job != nil)
        #expect(listed.first?.places.first?.marks.map(\.mark.inode) == [7, 8])
    }

    @Test func `a list of all kinds is empty where no folder is known, and one of moves alone says so`()
        async throws
    {
        let homeless = OperationContext(folders: ValiseFolders())
        #expect(try await ListOperations().run(in: homeless).records.isEmpty)
        await #expect(throws: OperationError.self) { try await ListOperations([.moves]).run(in: homeless) }
    }

    @Test func `the folder of a relay whose process was killed is listed until the next one removes it`()
        async throws
    {
        let left = state.appending("served-left")
        try FileSystem().makeDirectories(left)
        // It may be another run's that has not locked it yet.
        #expect(try await records(.relays).isEmpty)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: left.string)
        let record = try #require(try await records(.relays).first)
        #expect(record.leftovers == .servedChunks(left) && record.places.map(\.path) == [left])
        #expect(record.reason != nil)
        _ = try ServedFolder.make(context.folders)
        #expect(try await records(.relays).isEmpty)
        #expect(try !FileSystem().exists(left))
    }

    @Test func `the relay of a move that is not known any more is listed, unless it runs`() async throws {
        let left = state.appending("move-relays").appending("0123")
        try FileSystem().makeDirectories(left.appending("files"))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)],
            ofItemAtPath: left.appending("files").string)
        let record = try #require(try await records(.relays).first)
        #expect(record.leftovers == .servedChunks(left))
        let lock = try #require(try DirectoryLock(left.appending("files"), .exclusive))
        #expect(try await records(.relays).isEmpty)
        withExtendedLifetime(lock) {}
    }
}
