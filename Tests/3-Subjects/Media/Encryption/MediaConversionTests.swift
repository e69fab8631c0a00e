import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseAccounts
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMediaRules
import ValiseSecrets

@testable import ValiseMedia

struct MediaConversionTests {
    private func run(
        _ direction: MediaDirection, _ account: ConversionAccount, _ selection: MediaSelection = .init(),
        batchSize: Int64? = nil, fileSystem: FileSystem = FileSystem(), progress: ProgressHandler = { _ in }
    ) throws -> MediaConversionReport {
        var conversion = MediaConversion(direction, selection, fileSystem: fileSystem)
        if let batchSize { conversion.batchSize = batchSize }
        return try conversion.run(account.location, passphrase: ConversionAccount.key(), progress: progress)
    }

    @Test func `every plain file gets its own key, and is plain again afterwards`() throws {
        let account = try ConversionAccount()
        var contents: [Int64: [UInt8]] = [:]
        for (number, size) in [0, 1, 15, 16, 63, 64, 65, 4096, 524_288, 524_289, 1_200_000].enumerated() {
            let content = ConversionAccount.content(number, size)
            contents[try account.add("file \(number).bin", content, encrypted: number % 3 == 2)] = content
        }
        let encrypted = try run(.encrypt, account)
        #expect(encrypted.files == 8 && encrypted.already == 3 && encrypted.leftCount == 0)
        for (id, content) in contents {
            #expect(try account.isEncrypted(id))
            #expect(try account.content(of: id) == content)
        }
        let keys = try account.connection().rows("SELECT DISTINCT file_crypto_key FROM files")
        #expect(keys.count == 8 + 1)
        let again = try run(.encrypt, account)
        #expect(again.files == 0 && again.already == 11 && again.operations == 0)
        let decrypted = try run(.decrypt, account)
        #expect(decrypted.files == 11)
        for (id, content) in contents {
            #expect(try !account.isEncrypted(id))
            #expect(try account.content(of: id) == content)
        }
    }

    @Test func `names of any kind keep their place, times and modes`() throws {
        let account = try ConversionAccount()
        let outside = account.folder.appending("outside.jpg")
        let content = ConversionAccount.content(3, 5000)
        let inside = account.location.filesFolder.appending("absolute.jpg").string
        let names = [
            "Grüße 📷.jpg", "e\u{301}t\u{e9}.png", "inner/deeper/x.bin", "back\\slash.txt", " spaces .jpg",
            "-rf",
            "new\nline.txt", String(repeating: "l", count: 255),
        ]
        var ids = try names.map { try account.add($0, content) }
        ids.append(try account.add("absolute.jpg", content, path: inside, at: FilePath(inside)))
        ids.append(try account.add("dotted.jpg", content, path: "./inner/./dotted.jpg"))
        let first = account.location.filesFolder.appending(names[0])
        try account.fileSystem.setPermissions([.ownerReadWrite, .groupRead], of: first)
        try account.fileSystem.openForUpdating(first).setModificationTime(1_700_000_000)
        let left: [(String, MediaConversionReport.Reason)] = [
            (outside.string, .elsewhere), ("../escape.jpg", .elsewhere), ("", .elsewhere),
            (String(repeating: "n", count: 300), .impossibleName), ("gone.jpg", .missing),
            ("inner/deeper/x.bin/below", .missing),
        ]
        for (path, _) in left {
            try account.add("n", content, path: path, at: outside, writesFile: path == outside.string)
        }
        let report = try run(.encrypt, account)
        #expect(report.files == ids.count)
        #expect(report.left.map(\.path) == left.map(\.0))
        #expect(report.left.map(\.reason) == left.map(\.1))
        for id in ids {
            #expect(try account.isEncrypted(id))
            #expect(try account.content(of: id) == content)
        }
        #expect(try account.fileSystem.contents(of: outside, limit: 1 << 20) == content)
        let attributes = try #require(try account.fileSystem.attributes(of: first))
        #expect(attributes.permissions == [.ownerReadWrite, .groupRead])
        #expect(attributes.modificationTime == 1_700_000_000)
    }

    @Test func `what is not certain is reported and left as it is`() throws {
        let account = try ConversionAccount()
        let content = ConversionAccount.content(1, 3000)
        let files = account.location.filesFolder
        let shared = try account.add("shared.bin", content)
        try account.add("shared.bin", content, path: "./shared.bin", writesFile: false)
        let size = try account.add("size.bin", content)
        try account.connection().run("UPDATE files SET file_size = 2999 WHERE file_id = ?", [.integer(size)])
        let linked = try account.add("linked.bin", content)
        try account.fileSystem.link(files.appending("linked.bin"), as: account.folder.appending("second"))
        let broken = try account.add("broken.bin", content, encrypted: true)
        try account.connection().run(
            "UPDATE files SET file_crypto_nonce = NULL WHERE file_id = ?", [.integer(broken)])
        let sending = try account.add("sending.bin", content, status: "snd_transfer 1 2")
        try account.connection(.agent).run(
            "INSERT INTO snd_files (path, status) VALUES ('/elsewhere/sending.bin', 'new')")
        try account.add("later.bin", content, status: "rcv_transfer 1 2")
        try account.add("folder", content, writesFile: false)
        try account.fileSystem.makeDirectory(files.appending("folder"))
        try account.add("link", content, writesFile: false)
        try FileManagerLink.make(files.appending("link"), to: account.folder.appending("second").string)
        let before = try TemporaryFolder.contents(of: account.location.directory)
        let report = try run(.encrypt, account)
        #expect(
            Set(report.left.map(\.reason)) == [
                .namedTwice, .otherSize, .hardLinked, .brokenKey, .beingSent, .notAFile, .link,
            ])
        #expect(report.leftCount == 8 && report.waiting == 1 && report.files == 0)
        #expect(try TemporaryFolder.contents(of: account.location.directory) == before)
        for id in [shared, size, linked, sending] { #expect(try account.content(of: id) == content) }
    }

    @Test func `a file whose tag does not fit stays encrypted, with its key`() throws {
        let account = try ConversionAccount()
        let content = ConversionAccount.content(1, 30_000)
        let good = try account.add("good.bin", content, encrypted: true)
        let bad = try account.add("bad.bin", content, encrypted: true)
        let foreign = try account.add("foreign.bin", content, encrypted: true)
        try account.connection().run(
            "UPDATE files SET file_crypto_key = randomblob(32) WHERE file_id = ?", [.integer(foreign)])
        let path = account.location.filesFolder.appending("bad.bin")
        var bytes = try account.fileSystem.contents(of: path, limit: 1 << 20)
        bytes[12_345] ^= 4
        try account.fileSystem.replace(path, with: bytes)
        let report = try run(.decrypt, account)
        #expect(report.files == 1 && report.left.map(\.reason) == [.damaged, .damaged])
        #expect(try account.content(of: good) == content)
        #expect(try account.isEncrypted(bad) && account.isEncrypted(foreign))
        #expect(try account.fileSystem.contents(of: path, limit: 1 << 20) == bytes)
    }

    @Test func `only the selected files are converted`() throws {
        let account = try ConversionAccount()
        let content = ConversionAccount.content(1, 3000)
        let bob = try account.add("bob.jpg", content, tag: "image")
        let sister = try account.add("sister.jpg", content, chatID: 2, tag: "image")
        let group = try account.add("group.mp4", content, chat: "group_id", tag: "video")
        let notes = try account.add(
            "notes.txt", content, status: "snd_stored", chat: "note_folder_id", time: "2026-05-01 00:00:00")
        let large = try account.add("large.bin", ConversionAccount.content(1, 9000))
        func converted(_ change: (inout MediaSelection) -> Void) throws -> Set<Int64> {
            var selection = MediaSelection()
            change(&selection)
            _ = try run(.encrypt, account, selection)
            let found = try [bob, sister, group, notes, large].filter { try account.isEncrypted($0) }
            _ = try run(.decrypt, account)
            return Set(found)
        }
        #expect(try converted { $0.chats = ["@Sister"] } == [sister])
        #expect(try converted { $0.chats = ["Carol", "#Friends"] } == [sister, group])
        #expect(try converted { $0.chats = ["*"] } == [notes])
        #expect(try converted { $0.kinds = [.image] } == [bob, sister])
        #expect(try converted { $0.smallest = 3001 } == [large])
        #expect(try converted { $0.largest = 3000 } == [bob, sister, group, notes])
        #expect(try converted { $0.since = 1_777_000_000 } == [notes])
        #expect(try converted { $0.before = 1_777_000_000 } == [bob, sister, group, large])
        let error = #expect(throws: AccountMediaError.self) { try converted { $0.chats = ["@Friends"] } }
        #expect(error?.code == .notFound)
    }

    @Test func `a plan changes nothing and tells what would be done`() throws {
        let account = try ConversionAccount()
        try account.add("a.bin", ConversionAccount.content(1, 3000))
        try account.add("b.bin", ConversionAccount.content(1, 3000), encrypted: true)
        try account.add("gone.bin", [1], writesFile: false)
        let before = try TemporaryFolder.contents(of: account.location.directory)
        let plan = try MediaConversion(.encrypt).plan(account.location, passphrase: ConversionAccount.key())
        #expect(plan.files == 1 && plan.bytes == 3000 && plan.already == 1 && plan.leftCount == 1)
        #expect(plan.operations == 1 && plan.spaceNeeded > 3000)
        #expect(try TemporaryFolder.contents(of: account.location.directory) == before)
    }

    @Test func `in several operations, an interruption keeps those that are done`() throws {
        let account = try ConversionAccount()
        let ids = try (0..<10).map { try account.add("\($0).bin", ConversionAccount.content($0, 10_000)) }
        let error = #expect(throws: MediaEncryptionError.self) {
            try run(.encrypt, account, batchSize: 25_000) { progress in
                if progress.completed >= 50_000 { throw Interruption() }
            }
        }
        #expect(error?.code == .interrupted)
        let done = try ids.filter { try account.isEncrypted($0) }
        #expect(done.count >= 4 && done.count < 10 && done == Array(ids.prefix(done.count)))
        let report = try run(.encrypt, account, batchSize: 25_000)
        #expect(report.files == 10 - done.count && report.already == done.count)
        for (number, id) in ids.enumerated() {
            #expect(try account.content(of: id) == ConversionAccount.content(number, 10_000))
        }
    }

    @Test func `a database without encryption is told of, and one without columns for keys refused`() throws {
        let account = try ConversionAccount(isEncrypted: false)
        try account.add("a.bin", [1, 2, 3])
        let report = try MediaConversion(.encrypt).run(account.location, passphrase: .empty())
        #expect(report.files == 1 && !report.isDatabaseEncrypted)
        try account.connection().execute("ALTER TABLE files DROP COLUMN file_crypto_nonce")
        let error = #expect(throws: MediaEncryptionError.self) {
            try MediaConversion(.encrypt).run(account.location, passphrase: .empty())
        }
        #expect(error?.code == .unsupported)
    }

    @Test func `with previous databases kept, which know nothing of the keys, nothing is done`() throws {
        let account = try ConversionAccount()
        try account.add("a.bin", [1, 2, 3])
        try account.fileSystem.makeDirectories(
            account.location.directory.appending(".valise-simplex_v1").appending("backup"))
        let error = #expect(throws: MediaEncryptionError.self) { try run(.encrypt, account) }
        #expect(error?.code == .alreadyExists)
        #expect(throws: MediaEncryptionError.self) {
            try MediaConversion(.encrypt).plan(account.location, passphrase: ConversionAccount.key())
        }
    }

    @Test func `a file that is written to while it is converted keeps what was written`() throws {
        let account = try ConversionAccount()
        let changed = try account.add("changed.bin", ConversionAccount.content(1, 2_000_000))
        let gone = try account.add("gone.bin", ConversionAccount.content(2, 1000))
        let other = try account.add("other.bin", ConversionAccount.content(3, 1000))
        let files = account.location.filesFolder
        let fileSystem = FileSystem(
            interposer: WhenWritten(name: "changed.bin") {
                var file = try? FileSystem().openForUpdating(files.appending("changed.bin"))
                try? file?.write(Array("new".utf8))
                try? FileSystem().remove(files.appending("gone.bin"))
            })
        let report = try run(.encrypt, account, fileSystem: fileSystem)
        #expect(report.files == 1 && report.leftCount == 2)
        #expect(Set(report.left.map(\.reason)).isSubset(of: [.changed, .unreadable]))
        #expect(try !account.isEncrypted(changed) && !account.isEncrypted(gone))
        #expect(try account.isEncrypted(other))
        let bytes = try account.fileSystem.contents(of: files.appending("changed.bin"), limit: 1 << 24)
        #expect(bytes.starts(with: "new".utf8) && bytes.count == 2_000_000)
        #expect(try !account.fileSystem.exists(files.appending("gone.bin")))
    }

    @Test func `hard links and odd keys stop nothing, in either direction`() throws {
        let account = try ConversionAccount()
        let content = ConversionAccount.content(1, 3000)
        let linked = try account.add("linked.bin", content, encrypted: true)
        try account.fileSystem.link(
            account.location.filesFolder.appending("linked.bin"), as: account.folder.appending("second"))
        let odd = try account.add("odd.bin", content)
        try account.connection().run(
            "UPDATE files SET file_crypto_key = ?, file_crypto_nonce = ? WHERE file_id = ?",
            [.text(String(repeating: "ä", count: 32)), .text("nonce"), .integer(odd)])
        let good = try account.add("good.bin", content, encrypted: true)
        let report = try run(.decrypt, account)
        #expect(report.files == 1)
        #expect(Set(report.left.map(\.reason)) == [.hardLinked, .brokenKey])
        #expect(try account.isEncrypted(linked))
        #expect(try account.content(of: good) == content && !account.isEncrypted(good))
    }

    @Test func `a file larger than an operation is an operation of its own`() throws {
        let account = try ConversionAccount()
        let ids = try [10, 90_000, 20].map { try account.add("\($0).bin", ConversionAccount.content($0, $0)) }
        let report = try run(.encrypt, account, batchSize: 50_000)
        #expect(report.files == 3 && report.operations == 3)
        for id in ids { #expect(try account.isEncrypted(id)) }
    }

    @Test func `rows that share an id are left alone`() throws {
        let account = try ConversionAccount()
        let first = try account.add("first.bin", ConversionAccount.content(1, 100))
        try account.add("second.bin", ConversionAccount.content(2, 100))
        try account.connection().execute(
            """
            CREATE TABLE copy AS SELECT * FROM files; DROP TABLE files; ALTER TABLE copy RENAME TO files;
            UPDATE files SET file_id = \(first)
            """)
        let report = try run(.encrypt, account)
        #expect(report.files == 0 && report.left.map(\.reason) == [.namedTwice])
    }

    @Test(arguments: [MediaDirection.encrypt, .decrypt])
    func `failed at any operation, each file fits its row after the next run`(
        _ direction: MediaDirection
    ) throws {
        let template = try ConversionAccount()
        let ids = try (0..<5).map {
            try template.add(
                "\($0).bin", ConversionAccount.content($0, 4000), encrypted: direction == .decrypt)
        }
        let save = template.folder.appending("save")
        try TemporaryFolder.copyTree(template.location.directory, to: save)
        let count = FaultPlan(.none)
        _ = try run(direction, template, batchSize: 9000, fileSystem: FileSystem(interposer: count))
        #expect(count.count > 60)
        let faults = [FaultPlan.Fault.fail(.ioError), .crash, .fail(.noSpace), .shortWrite]
        // What is done to one of the five files is done to each: a third of all meets every kind of operation.
        for number in stride(from: FaultSweep.first(step: 3), through: count.count, by: FaultSweep.step(3)) {
            let fault = faults[number % faults.count]
            try FileSystem().removeTree(template.location.directory)
            try TemporaryFolder.copyTree(save, to: template.location.directory)
            let plan = FaultPlan(fault, at: number)
            _ = try? run(direction, template, batchSize: 9000, fileSystem: FileSystem(interposer: plan))
            let again = try run(direction, template, batchSize: 9000)
            #expect(again.leftCount == 0, "\(fault) at \(number)")
            for (file, id) in ids.enumerated() {
                let expected = ConversionAccount.content(file, 4000)
                #expect(try template.content(of: id) == expected, "\(fault) at \(number)")
                #expect(try template.isEncrypted(id) == (direction == .encrypt), "\(fault) at \(number)")
            }
        }
    }
}

/// Does something when a file of a name is written for the first time.
private final class WhenWritten: FileInterposer {
    private let name: String
    private let action: @Sendable () -> Void
    private let isDone = Mutex(false)

    init(name: String, _ action: @escaping @Sendable () -> Void) {
        self.name = name
        self.action = action
    }

    func verdict(on operation: FileOperation) -> FileOperationVerdict {
        guard case .write(let path, _) = operation, path.lastComponent?.string == name else {
            return .proceed
        }
        let isFirst = isDone.withLock { done in
            defer { done = true }
            return !done
        }
        if isFirst { action() }
        return .proceed
    }
}
