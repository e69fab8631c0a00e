import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMedia
import ValiseSecrets

struct MediaPurgeTests {
    private let account: OfficialAccount
    private let fileSystem = FileSystem()

    init() throws { account = try OfficialAccount() }

    private func put(_ names: String...) throws {
        for name in names {
            let path = account.location.directory.appending(name)
            try fileSystem.makeDirectories(path.parentFolder)
            try fileSystem.replace(path, with: Array(name.utf8))
        }
    }

    private func media(_ names: String...) throws {
        for name in names { try put("simplex_v1_files/\(name)") }
    }

    private func plan() throws -> MediaPurgePlan {
        try MediaPurge().plan(account.location, passphrase: .empty())
    }

    private func purge(
        deletes: Bool = false, _ interposer: (any FileInterposer)? = nil
    ) throws -> MediaPurgeReport {
        try MediaPurge(fileSystem: FileSystem(interposer: interposer)).run(
            account.location, passphrase: .empty(), deletes: deletes)
    }

    private func planned() throws -> Set<String> { Set(try plan().items.map(\.path)) }

    private var files: [String] {
        get throws { try TemporaryFolder.contents(of: account.location.filesFolder).keys.sorted() }
    }

    private func row(_ path: String, status: String = "rcv_complete") throws {
        try account.add("name", []) { ($0.path, $0.isStored, $0.status) = (path, false, status) }
    }

    // MARK: What stays

    @Test(arguments: [
        "kept.jpg", "sub/kept.jpg", "./kept.jpg", "/data/user/0/app/files/app_files/kept.jpg",
        "C:\\Users\\me\\kept.jpg",
        "../elsewhere/kept.jpg", "KEPT.JPG", "kept.jpg/", "/kept.jpg",
    ])
    func `whatever a row names in any way stays`(_ path: String) throws {
        try row(path)
        try media("kept.jpg", "other.jpg")
        #expect(try planned() == ["simplex_v1_files/other.jpg"])
    }

    @Test(arguments: ["rcv_invitation", "rcv_transfer 1 2", "snd_cancelled", "unheard of"])
    func `a row of any status protects`(_ status: String) throws {
        try row("kept.jpg", status: status)
        try media("kept.jpg")
        #expect(try planned() == [])
    }

    @Test func `names count as equal as file systems may see them`() throws {
        try row("stra\u{df}e \u{e9}.jpg")
        try media("STRASSE e\u{301}.JPG", "strase.jpg")
        #expect(try planned() == ["simplex_v1_files/strase.jpg"])
    }

    @Test func `files of transfers that are going on stay`() throws {
        for (table, values) in [
            ("rcv_files", "(1, '/tmp/rcv.xftp', 'tmp path', '/data/save.jpg')"),
            ("rcv_file_chunks", "(1, '/x/chunk 1')"), ("snd_files", "(1, '/x/source.jpg', '/x/snd.xftp/')"),
        ] {
            try account.sql("INSERT INTO \(table) VALUES \(values)", in: .agent)
        }
        try media("save.jpg", "source.jpg")
        try put("tmp/rcv.xftp/1", "tmp/rcv.xftp/sub/2", "tmp/tmp path", "tmp/chunk 1", "tmp/snd.xftp/3")
        try put("tmp/old/4")
        #expect(try planned() == ["tmp/old/4"])
        _ = try purge()
        #expect(try !fileSystem.exists(account.location.directory.appending("tmp/old")))
        #expect(try fileSystem.exists(account.location.directory.appending("tmp/rcv.xftp/sub/2")))
    }

    @Test func `databases, their previous copies and wallpapers are never touched`() throws {
        try put("simplex_v1_chat.db.bak", "simplex_v1_agent.db.bak", "simplex_v1_assets/wallpapers/w.jpg")
        try put("notes.txt", "simplex_v1_chat.db.exported", "a.zip.partial", "a.zip.parts/simplex_v1_chat.db")
        try put("mine.parts/letter.txt", "migration_temp_files/migration.db_chat.db")
        try put(".simplex_v1.valise-reading-999999999/simplex_v1_chat.db", ".simplex_v1.valise-reading-1/x")
        let plan = try plan()
        #expect(
            Set(plan.items.map(\.path)) == [
                "simplex_v1_chat.db.exported", "a.zip.partial", "a.zip.parts",
                "migration_temp_files/migration.db_chat.db", ".simplex_v1.valise-reading-999999999",
            ])
        #expect(plan.notes.count { $0.sentence.contains(".bak") } == 2)
        #expect(plan.items.first { $0.path == "a.zip.parts" }?.reason == .staleWork)
        _ = try purge()
        #expect(try planned() == [])
    }

    @Test func `what another run is writing stays, and so do links`() throws {
        let pending = try PendingFile(account.location.directory.appending("a.zip"))
        try put("a.zip.parts/simplex_v1_chat.db", "b.zip.partial")
        try FileManagerLink.make(account.location.filesFolder.appending("link"), to: "target")
        #expect(try planned() == ["b.zip.partial"])
        withExtendedLifetime(pending) {}
    }

    @Test func `what several accounts share is left`() throws {
        try media("a.jpg")
        try put("tmp/x", "other_chat.db")
        let plan = try MediaPurge().plan(account.location, passphrase: .empty())
        #expect(plan.items.map(\.path) == ["simplex_v1_files/a.jpg"])
        #expect(plan.notes.count == 1)
    }

    @Test func `a folder that is open to all users is not the app's`() throws {
        try put("tmp/x")
        try fileSystem.setPermissions(
            FilePermissions(rawValue: 0o1777), of: account.location.directory.appending("tmp"))
        #expect(try plan().items.isEmpty)
        #expect(try plan().notes.count == 1)
    }

    // MARK: Refusals

    @Test(arguments: [
        ("DROP TABLE files", AccountDatabase.chat), ("DROP TABLE rcv_files", .agent),
        ("DROP TABLE snd_files", .agent), ("DROP TABLE rcv_file_chunks", .agent),
        ("ALTER TABLE snd_files DROP COLUMN path", .agent),
        ("ALTER TABLE rcv_files DROP COLUMN save_path", .agent),
    ])
    func `where nobody knows which names are needed, nothing is done`(
        _ damage: String, _ database: AccountDatabase
    ) throws {
        try media("a.jpg")
        try account.sql(damage, in: database)
        #expect(throws: MediaEncryptionError.self) { try plan() }
        #expect(throws: MediaEncryptionError.self) { try purge() }
        #expect(try files == ["a.jpg"])
    }

    @Test func `a table with a hole in it refuses`() throws {
        for number in 0..<200 { try row(String(repeating: "path \(number) ", count: 20)) }
        try media("a.jpg")
        let path = account.location.path(of: .chat)
        var bytes = try fileSystem.contents(of: path, limit: 1 << 26)
        // The number of cells of a leaf of the table: SQLite itself would read fewer rows and say nothing.
        let connection = try Connection(path, mode: .readOnly, passphrase: .empty())
        let page = try #require(
            try connection.value(
                "SELECT pageno FROM dbstat WHERE name = 'files' AND pagetype = 'leaf' ORDER BY pageno")?
                .integer)
        let start = Int(page - 1) * 4096
        bytes[start + 4] -= 1
        try fileSystem.replace(path, with: bytes)
        #expect(throws: MediaEncryptionError.self) { try plan() }
    }

    @Test func `an agent database from before transfers has none`() throws {
        try account.sql("DELETE FROM migrations", in: .agent)
        for table in ["rcv_files", "rcv_file_chunks", "snd_files"] {
            try account.sql("DROP TABLE \(table)", in: .agent)
        }
        try media("a.jpg")
        #expect(try planned() == ["simplex_v1_files/a.jpg"])
    }

    // MARK: Moving and deleting

    @Test func `a dry run changes nothing; a run moves, and keeps the ways`() throws {
        try row("kept.jpg")
        try media("kept.jpg", "a.jpg", "sub/deep/b.jpg")
        try put("tmp/c")
        let before = try TemporaryFolder.contents(of: account.folder.path)
        #expect(try plan().items.count == 3)
        #expect(try TemporaryFolder.contents(of: account.folder.path) == before)
        let declined = try MediaPurge().run(account.location, passphrase: .empty(), confirm: { _ in false })
        #expect(!declined.isDone)
        #expect(try TemporaryFolder.contents(of: account.folder.path) == before)
        let report = try purge()
        #expect(report.count == 3 && report.problems.isEmpty)
        #expect(try files == ["kept.jpg"])
        let moved = try #require(report.folders.first)
        #expect(FilePath(moved).removingLastComponent() == account.location.directory)
        #expect(
            try TemporaryFolder.contents(of: FilePath(moved)).compactMapValues(\.self).keys.sorted() == [
                "simplex_v1_files/a.jpg", "simplex_v1_files/sub/deep/b.jpg", "tmp/c",
            ])
        #expect(try purge().count == 0)
    }

    @Test func `deleting leaves nothing, and no empty folders`() throws {
        try media("a.jpg", "sub/deep/b.jpg")
        let report = try purge(deletes: true)
        #expect(report.count == 2 && report.folders.isEmpty)
        #expect(try files == [])
        #expect(try fileSystem.list(account.location.directory).count == 3)
    }

    @Test func `media that are linked from elsewhere are moved beside where they are`() throws {
        let elsewhere = account.folder.appending("elsewhere")
        try fileSystem.rename(account.location.filesFolder, to: elsewhere)
        try FileManagerLink.make(account.location.filesFolder, to: elsewhere.string)
        try media("a.jpg")
        let report = try purge()
        let moved = FilePath(try #require(report.folders.first))
        #expect(moved.parentFolder == (try fileSystem.resolve(account.folder.path)))
        #expect(try fileSystem.exists(moved.appending("elsewhere/a.jpg")))
    }

    @Test(arguments: [false, true])
    func `failed at each operation, a file is where it was or where it goes`(_ deletes: Bool) throws {
        var position = 1
        while true {
            let account = try OfficialAccount()
            try account.add("kept", Array("kept".utf8)) { $0.path = "sub/kept.jpg" }
            let names = ["a.jpg", "sub/b.jpg", "other/c.jpg"]
            for name in names {
                let path = account.location.filesFolder.appending(name)
                try fileSystem.makeDirectories(path.parentFolder)
                try fileSystem.replace(path, with: Array(name.utf8))
            }
            let plan = FaultPlan(.crash, at: position)
            let purge = { (interposer: (any FileInterposer)?) in
                try MediaPurge(fileSystem: FileSystem(interposer: interposer)).run(
                    account.location, passphrase: .empty(), deletes: deletes)
            }
            do { _ = try purge(plan) } catch is FileError {}
            let left = try TemporaryFolder.contents(of: account.location.directory).compactMapValues(\.self)
            for name in names {
                let found = left.filter { $0.key.hasSuffix("simplex_v1_files/\(name)") }
                #expect(found.values.allSatisfy { $0 == Array(name.utf8) } && found.count <= 1)
                if !deletes { #expect(found.count == 1, "\(name) at \(position)") }
            }
            _ = try purge(nil)
            #expect(
                try TemporaryFolder.contents(of: account.location.filesFolder).compactMapValues(\.self)
                    == ["sub/kept.jpg": Array("kept".utf8)])
            guard plan.wasReached else { break }
            position += 1
        }
        #expect(position > 5)
    }
}
