import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseSecrets

struct AccountCheckTests {
    private static let sound = Result { try CheckedAccount() }
    private let account: CheckedAccount

    init() throws {
        account = try CheckedAccount(copying: Self.sound.get())
    }

    /// The sample has one file that a message refers to and that is not there.
    private func addMissingFile() throws {
        let missing = try #require(try account.check(quick: true).media?.problems.first)
        try account.fileSystem.replace(
            account.location.filesFolder.appending(missing.name),
            with: [UInt8](repeating: 1, count: Int(missing.expectedSize)))
    }

    @Test(arguments: [false, true])
    func `a whole account is whole, and not one byte is written`(quick: Bool) throws {
        try addMissingFile()
        let before = try TemporaryFolder.contents(of: account.location.directory)
        let report = try account.check(quick: quick)
        #expect(report.verdict == .intact, "\(report)")
        #expect(report.chat.isWalked == !quick)
        #expect(report.chat.checkedHMACs == report.chat.pages)
        #expect(report.agreement == (try account.check().agreement))
        #expect(report.agreement?.isIntact == true)
        #expect(try #require(report.media).referenced > 10)
        #expect(try TemporaryFolder.contents(of: account.location.directory) == before)
    }

    @Test func `media are compared with what messages say of them`() throws {
        try addMissingFile()
        let connection = try account.connect(.chat)
        let paths = try connection.rows(
            "SELECT DISTINCT file_path FROM files WHERE ci_file_status = 'snd_complete' ORDER BY 1 LIMIT 3")
        let names = paths.compactMap { $0[0].text }
        try #require(names.count == 3)
        let folder = account.location.filesFolder
        try account.fileSystem.remove(folder.appending(names[0]))
        try account.fileSystem.replace(folder.appending(names[1]), with: [1])
        try account.fileSystem.replace(folder.appending("nobody's"), with: [1, 2])
        try connection.run(
            "UPDATE files SET file_path = '/elsewhere/x' WHERE file_path = ?", [.text(names[2])])
        let report = try account.check(quick: true)
        #expect(report.verdict == .mediaProblems)
        let media = try #require(report.media)
        #expect(media.missingCount == 1)
        #expect(media.differingCount == 1)
        #expect(Set(media.problems.map(\.name)) == Set(names.prefix(2)))
        #expect(media.unreferenced.contains("nobody's"))
        #expect(media.elsewhere == 1)
    }

    /// A disk that fails from a moment on.
    private final class FailingDisk: ByteSource {
        let source: FileSource
        let fails = Mutex(false)
        var size: Int64 { source.size }
        var path: FilePath { source.path }

        init(_ path: FilePath) throws { source = try FileSource(path) }

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
            if fails.withLock({ $0 }) { throw FileError(cannot: "read", path, .ioError) }
            return try source.read(into: buffer, at: offset)
        }
    }

    @Test func `a disk that fails is no damage of the database`() throws {
        let disks = try AccountDatabase.allCases.map { try FailingDisk(account.location.path(of: $0)) }
        var check = try DatabasesCheck(
            disks.map { ($0, $0.path.string) }, passphrase: CheckedAccount.key())
        try check.checkPages { _ in }
        for disk in disks { disk.fails.withLock { $0 = true } }
        #expect(throws: FileError.self) { _ = try check.walk(.chat) {} }
        for database in AccountDatabase.allCases {
            #expect(throws: FileError.self) {
                _ = try check.read(database, { _ in }) { try $0.rows("SELECT * FROM users") }
            }
        }
        #expect(throws: FileError.self) { _ = try check.agreement() }
        #expect(check.findings(of: .chat).isIntact && check.findings(of: .agent).isIntact)
        for disk in disks { disk.fails.withLock { $0 = false } }
        #expect(try check.agreement()?.isIntact == true)
    }

    @Test func `a comparison of the databases can be stopped`() throws {
        let disks = try AccountDatabase.allCases.map { try FailingDisk(account.location.path(of: $0)) }
        var check = try DatabasesCheck(
            disks.map { ($0, $0.path.string) }, passphrase: CheckedAccount.key())
        #expect(throws: Interruption.self) { try check.agreement { _ in throw Interruption() } }
    }

    @Test func `rows that refer to nothing are found`() throws {
        do {
            let connection = try account.connect(.chat)
            try connection.execute(
                "PRAGMA foreign_keys = OFF; UPDATE chat_items SET user_id = 999 WHERE chat_item_id <= 3")
        }
        let report = try account.check()
        #expect(report.verdict == .damaged)
        let problem = try #require(report.chat.problems.first { $0.kind == .reference })
        #expect(problem.table == "table chat_items")
        #expect(problem.rows == 3)
        #expect(try account.check(quick: true).verdict != .damaged)
    }

    @Test func `an index that says other than its table is found and named`() throws {
        do {
            let connection = try account.connect(.chat)
            try connection.execute(
                """
                CREATE TABLE pair (a INTEGER, b TEXT); CREATE INDEX pair_b ON pair (b);
                INSERT INTO pair VALUES (1, 'one'), (2, 'two'), (3, 'three');
                PRAGMA writable_schema = ON;
                UPDATE sqlite_master SET sql = 'CREATE INDEX pair_b ON pair (a)' WHERE name = 'pair_b';
                PRAGMA writable_schema = RESET
                """)
        }
        let report = try account.check()
        #expect(report.verdict == .damaged)
        #expect(report.chat.problems.allSatisfy { $0.kind == .structure })
        #expect(report.chat.problems.contains { $0.message.contains("pair_b") })
    }

    @Test func `databases of different accounts do not belong together`() throws {
        do {
            let connection = try account.connect(.agent)
            try connection.execute("PRAGMA foreign_keys = OFF; DELETE FROM users")
        }
        let report = try account.check(quick: true)
        #expect(report.verdict == .damaged)
        #expect(report.agreement?.usersWithoutAgent == 2)
        #expect(report.chat.isIntact && report.agent.isIntact)
    }

    @Test func `a log left by a crash is folded in on a copy that goes again`() throws {
        let copy = account.folder.appending("copy")
        do {
            let connection = try account.connect(.chat)
            _ = try connection.value("PRAGMA journal_mode = WAL")
            try connection.run("DELETE FROM files")
            try TemporaryFolder.copyTree(account.location.directory, to: copy)
        }
        let before = try TemporaryFolder.contents(of: copy)
        let location = AccountLocation(directory: copy)
        let report = try AccountCheck().check(AccountReader(location), passphrase: CheckedAccount.key())
        #expect(report.chat.hadJournal)
        #expect(report.verdict == .intact, "\(report)")
        #expect(report.media?.referenced == 0)
        #expect(try TemporaryFolder.contents(of: copy) == before)
        let wrong = try AccountCheck().check(AccountReader(location), passphrase: CheckedAccount.key("5b"))
        #expect(wrong.verdict == .wrongPassphrase)
    }

    @Test func `an account without encryption is walked through, quickly or not`() throws {
        let location = AccountLocation(directory: account.folder.appending("plain"))
        try AccountCreation().create(location, passphrase: SecretBytes.empty())
        for quick in [false, true] {
            let report = try AccountCheck(isQuick: quick).check(
                AccountReader(location), passphrase: SecretBytes.empty())
            #expect(report.verdict == .intact, "\(report)")
            #expect(report.chat.form == .unencrypted)
            #expect(report.chat.isWalked)
        }
        // A page of a tree that says it is none.
        var bytes = try account.fileSystem.contents(of: location.path(of: .agent), limit: 1 << 24)
        let page = bytes.count / 4096
        bytes.replaceSubrange(CheckedAccount.range(ofPage: page), with: [UInt8](repeating: 9, count: 4096))
        try account.fileSystem.replace(location.path(of: .agent), with: bytes)
        let report = try AccountCheck(isQuick: true).check(
            AccountReader(location), passphrase: SecretBytes.empty())
        #expect(report.verdict == .damaged)
        #expect(report.agent.problems.contains { $0.page == UInt32(page) || $0.kind == .structure })
        #expect(report.chat.isIntact)
    }

    @Test(arguments: [3, 2, 1])
    func `an older cipher format is read with its own settings`(format: Int) throws {
        let target = account.folder.appending("old.db")
        do {
            let connection = try Connection(
                target, mode: .create, passphrase: SecretBytes(copying: Array("old passphrase".utf8)),
                cipher: ["cipher_compatibility = \(format)"])
            try connection.attachForReading(
                account.location.path(of: .chat), as: "new", passphrase: CheckedAccount.key())
            try connection.execute("PRAGMA foreign_keys = OFF; SELECT sqlcipher_export('main', 'new')")
        }
        try account.fileSystem.rename(target, to: account.location.path(of: .chat))
        for quick in [false, true] {
            let report = try AccountCheck(isQuick: quick).check(
                AccountReader(account.location),
                passphrase: SecretBytes(copying: Array("old passphrase".utf8)))
            #expect(report.chat.cipherFormat == format)
            #expect(report.chat.isIntact, "\(report.chat)")
            // Without HMACs something has to be looked at all the same.
            #expect(report.chat.isWalked == (!quick || format == 1))
        }
    }

    @Test func `a stop is heard, also in the middle of the walk`() throws {
        struct Stopped: Error {}
        var activities: [String] = []
        _ = try AccountCheck().check(AccountReader(account.location), passphrase: CheckedAccount.key()) {
            activities.append($0.activity)
        }
        #expect(activities.contains { $0.hasPrefix("checking the tables") })
        for stop in activities.indices {
            var call = 0
            #expect(throws: Stopped.self) {
                try AccountCheck().check(AccountReader(account.location), passphrase: CheckedAccount.key()) {
                    _ in
                    defer { call += 1 }
                    if call == min(stop, 3) { throw Stopped() }
                }
            }
        }
    }

    // MARK: Archives

    @Test(arguments: [ZipMethod.stored, .deflated])
    func `in an archive it is checked where it lies`(method: ZipMethod) throws {
        try addMissingFile()
        let folder = try account.check()
        let archive = try account.archive(method)
        let before = try TemporaryFolder.contents(of: account.folder.path)
        let report = try AccountCheck().check(
            AccountReader(.archive(archive)), passphrase: CheckedAccount.key())
        #expect(report.verdict == .intact, "\(report)")
        #expect(report.media == folder.media)
        #expect(report.agreement == folder.agreement)
        #expect(report.chat.isWalked)
        #expect(try TemporaryFolder.contents(of: account.folder.path) == before)
        #expect(try AccountReader(.archive(archive)).asksForPassphrase())
    }

    @Test(arguments: [ZipMethod.stored, .deflated])
    func `damage inside of an archive is found with page and table`(method: ZipMethod) throws {
        try account.change(.agent) { $0[77 * 4096 + 5] ^= 4 }
        try account.fileSystem.remove(
            account.location.filesFolder.appending(
                try #require(try account.fileSystem.list(account.location.filesFolder).first?.name)))
        let report = try AccountCheck().check(
            AccountReader(.archive(account.archive(method))), passphrase: CheckedAccount.key())
        #expect(report.verdict == .damaged)
        #expect(report.agent.problems.map(\.page) == [78])
        #expect(report.agent.problems.first?.table != nil)
        #expect(report.agent.file.hasSuffix(".zip/simplex_v1_agent.db"))
        #expect(try #require(report.media).missingCount > 1)
    }

    @Test func `deflated data that are damaged are told, and an archive without a database too`() throws {
        let archive = try account.archive(.deflated)
        var bytes = try account.fileSystem.contents(of: archive, limit: 1 << 28)
        for place in 100_000..<100_400 { bytes[place] = 0xff }
        try account.fileSystem.replace(archive, with: bytes)
        do {
            let report = try AccountCheck().check(
                AccountReader(.archive(archive)), passphrase: CheckedAccount.key())
            #expect(report.verdict == .damaged)
        } catch let error as any Failure {
            #expect(error.code == .damaged, "\(error)")
        }
        let empty = account.folder.appending("empty.zip")
        let writer = try ZipWriter(try account.fileSystem.create(empty))
        try writer.add("a", size: 1, modificationTime: 0, method: .stored) {
            $0[0] = 1; return 1
        }
        _ = try writer.finish()
        let error = try #require(throws: AccountMediaError.self) {
            try AccountCheck().check(AccountReader(.archive(empty)), passphrase: CheckedAccount.key())
        }
        #expect(error.code == .damaged)
    }
}
