import FaultInjection
import SessionBuilders
import Synchronization
import SystemPackage
import Testing
import ValiseEncoding
import ValiseFiles

@testable import Valise

/// What is told of stores of Session, checked in them and taken out of them: of Desktop, of iOS, and of a backup.
struct SessionOperationTests {
    private let folder: TemporaryFolder
    private static let story = Story(seed: 77, messages: 300)

    private var store: FilePath { folder.appending("store") }
    private var out: FilePath { folder.appending("out") }

    init() throws { folder = try TemporaryFolder("valise-session", inMemory: true) }

    enum Form: CaseIterable { case desktop, phone, backup }

    /// Writes a store.
    /// - Returns: what opens it.
    private func write(_ form: Form, _ change: (FilePath) throws -> Void = { _ in }) throws
        -> PassphraseSource
    {
        switch form {
        case .desktop:
            var builder = DesktopBuilder()
            builder.seal = DesktopBuilder.encryption
            try builder.write(Self.story, to: store)
            try change(store)
            return PassphraseSource()
        case .phone:
            try PhoneBuilder().write(Self.story, to: store)
            try change(store)
            return try .secret(Self.secret(Hexadecimal.encode(PhoneBuilder.key)))
        case .backup:
            let container = folder.appending("container")
            try PhoneBuilder().write(Self.story, to: container)
            try change(container)
            let bytes = try BackupBuilder(packing: container).bytes()
            try TestFiles.write(bytes, to: store)
            return try .secret(Self.secret(BackupBuilder.password))
        }
    }

    private static func secret(_ text: String) throws -> SharedSecret {
        SharedSecret(try SecretBytes(copying: Array(text.utf8)))
    }

    private var context: OperationContext {
        OperationContext(folders: ValiseFolders(state: folder.appending("state")))
    }

    private static var files: [StoryMessage.File] { story.messages.flatMap(\.files) }

    // MARK: Describing

    @Test(arguments: Form.allCases)
    func `a store is described`(_ form: Form) async throws {
        let key = try write(form)
        let summary = try await SummarizeSession(store, passphrase: key).run(in: context)
        #expect(summary.sessionID == Self.story.ownID)
        #expect(summary.messages == Int64(Self.story.messages.count))
        #expect(summary.conversations.values.reduce(0, +) >= Self.story.chats.count)
        #expect(summary.blocked == Self.story.people.count(where: \.isBlocked))
        #expect(summary.configurations.count == 2 && summary.damaged == [])
        #expect(
            summary.program.rawValue
                == ["desktop", "ios", "session.bak"][Form.allCases.firstIndex(of: form)!])
    }

    @Test func `something else is refused`() async throws {
        try FileSystem().makeDirectory(store)
        let error = await #expect(throws: OperationError.self) {
            try await SummarizeSession(store).run(in: context)
        }
        #expect(error?.code == .unsupported)
        let missing = await #expect(throws: OperationError.self) {
            try await SummarizeSession(out).run(in: context)
        }
        #expect(missing?.code == .notFound)
    }

    @Test(arguments: Form.allCases)
    func `a wrong key is told from damage`(_ form: Form) async throws {
        _ = try write(form)
        if form == .desktop { return }
        let wrong = String(repeating: "ab", count: 48)
        let error = await #expect(throws: (any Error).self) {
            try await SummarizeSession(store, passphrase: .secret(try Self.secret(wrong))).run(in: context)
        }
        #expect((error as? any Failure)?.code == .wrongPassphrase)
        let none = await #expect(throws: (any Error).self) {
            try await SummarizeSession(store).run(in: context)
        }
        #expect((none as? any Failure)?.code == .invalid)
    }

    @Test func `the key of a phone is read from a file as it is`() async throws {
        _ = try write(.phone)
        let file = folder.appending("key")
        for content in [PhoneBuilder.key, Array((Hexadecimal.encode(PhoneBuilder.key) + "\n").utf8)] {
            try TestFiles.write(content, to: file)
            let summary = try await SummarizeSession(store, passphrase: .file(file)).run(in: context)
            #expect(summary.sessionID == Self.story.ownID)
        }
    }

    @Test func `a key that others can read is refused`() async throws {
        _ = try write(.phone)
        let file = folder.appending("key")
        try TestFiles.write(PhoneBuilder.key, to: file)
        try FileSystem().setPermissions(FilePermissions(rawValue: 0o644), of: file)
        let error = await #expect(throws: (any Error).self) {
            try await SummarizeSession(store, passphrase: .file(file)).run(in: context)
        }
        #expect((error as? any Failure)?.code == .denied)
    }

    @Test(arguments: [nil, "no JSON"] as [String?])
    func `without its configuration, a profile opens with the password`(_ text: String?) async throws {
        try DesktopBuilder(lock: .password("a long password")).write(Self.story, to: store)
        let configuration = store.appending("config.json")
        try FileSystem().remove(configuration)
        if let text { try TestFiles.write(text, to: configuration) }
        let key = try PassphraseSource.secret(Self.secret("a long password"))
        let summary = try await SummarizeSession(store, passphrase: key).run(in: context)
        #expect(summary.sessionID == Self.story.ownID)
    }

    // MARK: Checking

    @Test(arguments: Form.allCases, [false, true])
    func `a store that has all its files is intact`(_ form: Form, _ isQuick: Bool) async throws {
        let key = try write(form)
        var check = CheckSession(store, passphrase: key)
        check.isQuick = isQuick
        let report = try await check.run(in: context)
        #expect(report.damage == [] && report.messages == Int64(Self.story.messages.count))
        let absent = Self.files.count { !$0.isThere }
        #expect(report.attachments.missing <= Int64(absent) && report.attachments.damaged == 0)
        #expect(report.attachments.intact > 0 && report.configurations == 2)
        #expect(report.expired == Int64(Self.story.messages.count { $0.kind == .expired }))
        #expect(report.verdict == (report.problems.isEmpty ? .intact : .entryProblems))
    }

    @Test func `a damaged attachment is found by decrypting it`() async throws {
        var damaged = 0
        let key = try write(.desktop) { store in
            let folder = DesktopBuilder.attachments(store)
            for (name, content) in try TemporaryFolder.contents(of: folder) where damaged == 0 {
                guard var content, content.count > 60 else { continue }
                content[50] ^= 1
                let path = folder.pushing(FilePath(name))
                try FileSystem().remove(path)
                try TestFiles.write(content, to: path)
                damaged += 1
            }
        }
        #expect(damaged == 1)
        var check = CheckSession(store, passphrase: key)
        let report = try await check.run(in: context)
        #expect(report.attachments.damaged == 1 && report.verdict == .entryProblems)
        #expect(report.problems.contains { $0.message == "the file is damaged" })
        check.isQuick = true
        #expect(try await check.run(in: context).attachments.damaged == 0)
    }

    @Test(arguments: Form.allCases)
    func `a page that was changed is found by its HMAC`(_ form: Form) async throws {
        let key = try write(form) { store in
            let path = form == .desktop ? DesktopBuilder.database(store) : PhoneBuilder.database(store)
            var content = try FileSource(path).bytes(at: 0, upTo: 1 << 24)
            // In the middle of the last page, which belongs to a table of messages or its index.
            content[content.count - 2000] ^= 1
            try FileSystem().remove(path)
            try TestFiles.write(content, to: path)
        }
        do {
            let report = try await CheckSession(store, passphrase: key).run(in: context)
            #expect(report.verdict == .damaged && !report.damage.isEmpty)
        } catch let error as any Failure {
            #expect(error.code == .damaged)
        }
    }

    @Test func `a frame of a backup that was changed is found`() async throws {
        let key = try write(.backup)
        var bytes = try FileSource(store).bytes(at: 0, upTo: 1 << 24)
        // Of the last content, which is no part of the database.
        bytes[bytes.count - 300] ^= 1
        try FileSystem().remove(store)
        try TestFiles.write(bytes, to: store)
        do {
            let report = try await CheckSession(store, passphrase: key).run(in: context)
            #expect(report.verdict == .damaged)
        } catch let error as any Failure {
            #expect([.damaged, .wrongPassphrase].contains(error.code))
        }
    }

    // MARK: Extracting

    @Test(arguments: Form.allCases)
    func `attachments are extracted, and each has a line`(_ form: Form) async throws {
        let key = try write(form)
        var extract = ExtractSession(store, to: out, passphrase: key)
        extract.unpacks = false
        extract.includesExpired = true
        let report = try await extract.run(in: context)
        let lines = try FileSource(out.appending("attachments.jsonl")).bytes(at: 0, upTo: 1 << 24)
            .split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == report.attachments?.values.reduce(0, +))
        var present = 0
        for line in lines {
            let node = try #require(JSONNode(parsing: Array(line)))
            guard node["state"]?.textValue == "present" else { continue }
            present += 1
            let path = try #require(node["path"]?.textValue)
            #expect(try FileSystem().exists(out.pushing(FilePath(path))))
        }
        #expect(present > 0 && present == report.attachments?["present"])
        #expect(report.configurations == 2)
        #expect(try FileSystem().list(out.appending("configurations")).count == 4)
        // A second run copies nothing.
        #expect(try await extract.run(in: context).size == 0)
    }

    @Test func `a configuration is kept as it is, and decoded`() async throws {
        let key = try write(.phone)
        _ = try await ExtractSession(store, to: out, passphrase: key).run(in: context)
        let folder = out.appending("configurations")
        #expect(
            try FileSource(folder.appending("contacts.dump")).bytes(at: 0, upTo: 100) == Array("d1:!0:e".utf8)
        )
        let view = try FileSource(folder.appending("contacts.json")).bytes(at: 0, upTo: 4096)
        let node = try #require(JSONNode(parsing: view))
        #expect(node["kind"]?.textValue == "contacts" && node["owner"]?.textValue == Self.story.ownID)
    }

    @Test func `a backup is unpacked into a folder that its password opens`() async throws {
        let key = try write(.backup)
        let report = try await ExtractSession(store, to: out, passphrase: key).run(in: context)
        #expect(report.isUnpacked && report.files > 2)
        let container = try TemporaryFolder.contents(of: folder.appending("container"))
        let unpacked = try TemporaryFolder.contents(of: out)
        for (name, content) in container where content != nil { #expect(unpacked[name] == content) }
        let summary = try await SummarizeSession(out, passphrase: key).run(in: context)
        #expect(summary.sessionID == Self.story.ownID && summary.program == .phone)
    }

    @Test func `a folder is not unpacked`() async throws {
        let key = try write(.phone)
        var extract = ExtractSession(store, to: out, passphrase: key)
        extract.unpacks = true
        let error = await #expect(throws: OperationError.self) { try await extract.run(in: context) }
        #expect(error?.code == .invalid)
    }

    // MARK: Recovery passwords

    @Test(arguments: Form.allCases)
    func `the recovery password of a store is that of its account`(_ form: Form) async throws {
        let key = try write(form)
        let found = try await ReadRecoveryPassword(.store(store), secret: key).run(in: context)
        #expect(found.sessionID == Self.story.ownID)
        #expect(try Self.text(found.password.words()) == StoryKeys(Self.story.entropy).words)
        let document = try JSONText.encode(found)
        #expect(!document.contains(try Self.text(found.password.words()).prefix(6)))
    }

    @Test(arguments: RecoveryLanguage.allCases)
    func `words and seed stand for the same account in each language`(_ language: RecoveryLanguage)
        async throws
    {
        let seed = try Self.secret(Hexadecimal.encode(Self.story.entropy))
        var ofSeed = ReadRecoveryPassword(.seed, secret: .secret(seed))
        ofSeed.language = language
        let first = try await ofSeed.run(in: context)
        let words = try first.password.words(in: language)
        let second = try await ReadRecoveryPassword(.words, secret: .secret(words)).run(in: context)
        #expect(first.sessionID == Self.story.ownID && second.sessionID == Self.story.ownID)
        #expect(second.language == language && second.inexact == [])
        #expect(try Self.text(second.password.digits()) == Hexadecimal.encode(Self.story.entropy))
    }

    @Test(arguments: ["", "zz", String(repeating: "0", count: 31), String(repeating: "0", count: 33)])
    func `another length is no seed`(_ text: String) async throws {
        let error = await #expect(throws: (any Error).self) {
            try await ReadRecoveryPassword(.seed, secret: .secret(try Self.secret(text))).run(in: context)
        }
        #expect((error as? any Failure)?.code == .invalid)
    }

    private static func text(_ secret: SharedSecret) throws -> String {
        secret.bytes.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: Chats

    @Test(arguments: Form.allCases)
    func `chats of each form are listed, searched and exported alike`(_ form: Form) async throws {
        let key = try write(form)
        var input = ConversationInput(store, passphrase: key)
        let list = try await ListConversations(input).run(in: context)
        #expect(list.conversations.count >= Self.story.chats.count && !list.hasEntryErrors)
        let query = try #require(TextQuery("Message 3"))
        let report = try await SearchConversations(query, in: input) { _, _ in }.run(in: context)
        #expect(report.hits > 0)
        input.includesExpired = true
        var export = ExportConversations(input, to: out)
        export.formats = ViewFormat.allCases
        let exported = try await export.run(in: context)
        #expect(exported.items > Self.story.messages.count - 1 && exported.damaged == [])
    }
}
