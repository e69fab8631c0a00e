import FaultInjection
import Foundation
import Synchronization
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// What an import proves of the databases, and when.
struct ImportProofTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private static func key(_ text: String = "correct horse") throws -> SecretBytes {
        try SecretBytes(copying: Array(text.utf8))
    }

    private func account(_ change: (inout [AccountDatabase: [UInt8]]) throws -> Void = { _ in }) throws
        -> ZipForge
    {
        var databases = try Sample.encryptedDatabases
        try change(&databases)
        return Forged.account(chat: databases[.chat] ?? [], agent: databases[.agent] ?? [])
    }

    private func `import`(
        _ options: ArchiveImport.Options = .init(), key: String? = "correct horse",
        fileSystem: FileSystem = FileSystem(), progress: ProgressHandler = { _ in }
    ) throws -> ImportReport {
        let passphrase: SecretBytes? = if let key { try Self.key(key) } else { nil }
        return try ArchiveImport(options, fileSystem: fileSystem).import(
            sandbox.archive, to: sandbox.target, passphrase: passphrase, progress: progress)
    }

    private func refusal(
        _ options: ArchiveImport.Options = .init(), key: String? = "correct horse"
    ) throws -> AccountArchiveError? {
        let before = try sandbox.snapshot()
        defer { #expect((try? sandbox.snapshot()) == before) }
        return #expect(throws: AccountArchiveError.self) { try self.import(options, key: key) }
    }

    @Test(arguments: [false, true])
    func `a wrong passphrase is found by the first pages, before anything is unpacked`(isDeflated: Bool)
        throws
    {
        var zip = try account {
            // Longer than what deflate looks back, so that it stays as large.
            let piece = (0..<1 << 18).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
            for _ in 0..<96 { $0[.chat]? += piece }
        }
        if isDeflated {
            zip.entries = zip.entries.map {
                .deflated(String(decoding: $0.local.name, as: UTF8.self), $0.packed)
            }
        }
        try sandbox.write(zip.bytes, to: "archive.zip")
        let read = Atomic(0)
        let archive = sandbox.archive
        let reading = ReadInterposer { path, count in
            if path == archive { read.add(count, ordering: .relaxed) }
            return .proceed
        }
        let progress = Atomic(0)
        let error = #expect(throws: AccountArchiveError.self) {
            try self.import(key: "another", fileSystem: FileSystem(interposer: reading)) { _ in
                progress.add(1, ordering: .relaxed)
            }
        }
        #expect(error?.code == .wrongPassphrase)
        #expect(progress.load(ordering: .relaxed) == 0)
        #expect(read.load(ordering: .relaxed) < 6 << 20)
        #expect(try !sandbox.fileSystem.exists(sandbox.target.directory))
    }

    @Test func `a changed page is found while it is unpacked, named, and taken only where that is allowed`()
        throws
    {
        let zip = try account { $0[.chat]?[20 * 4096 + 77] ^= 1 }
        try sandbox.write(zip.bytes, to: "archive.zip")
        let error = try refusal()
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("simplex_v1_chat.db: page 21") == true)
        guard case .acceptDamage(let archive, problems: 1...) = error?.remedy else {
            Issue.record("\(String(describing: error?.remedy))")
            return
        }
        #expect(archive.lastComponent?.string == "archive.zip")
        let report = try self.import(.init(allowsDamaged: true))
        #expect(report.entries == 2 && report.outlook == .refused)
        guard case .import(let text) = report.archiveErrors.first else {
            Issue.record("\(report.archiveErrors)")
            return
        }
        #expect(text.contains("page 21"))
    }

    @Test func `without the passphrase pages cannot be proved, and what is there is taken`() throws {
        try sandbox.write(try account { $0[.chat]?[20 * 4096 + 77] ^= 1 }.bytes, to: "archive.zip")
        let report = try self.import(key: nil)
        #expect(!report.databasesOpened && report.outlook == .notKnown && report.archiveErrors.isEmpty)
    }

    @Test func `databases under each other's names are refused, and taken where that is allowed`() throws {
        try sandbox.write(
            try account { ($0[.chat], $0[.agent]) = ($0[.agent], $0[.chat]) }.bytes, to: "archive.zip")
        let error = try refusal()
        #expect(error?.code == .unsupported && error?.message.contains("misnamed") == true)
        #expect(try self.import(.init(allowsDamaged: true)).archiveErrors.count == 2)
    }

    @Test func `what is no database is refused even so`() throws {
        let text = Array(
            String(repeating: "this is not a database, but it is long enough\n", count: 200).utf8)
        try sandbox.write(try account { $0[.agent] = text }.bytes, to: "archive.zip")
        for key in ["correct horse", nil] {
            #expect(try refusal(.init(allowsDamaged: true), key: key)?.code == .damaged)
        }
    }

    @Test func `whole databases are proved`() throws {
        try sandbox.write(try account().bytes, to: "archive.zip")
        let report = try self.import()
        #expect(report.databasesOpened && report.outlook == .ready && report.archiveErrors.isEmpty)
        let found = try sandbox.snapshot(of: "home/account")
        for (database, bytes) in try Sample.encryptedDatabases {
            #expect(found[database.archiveName] == bytes)
        }
    }

    @Test func `options that an earlier version wrote are read`() throws {
        let earlier = """
            {"isReadOnly":true,"limits":{"entries":5,"ratio":6,"totalSize":7},"replacesAccount":true,"replacesNewer":false}
            """
        let options = try JSONDecoder().decode(ArchiveImport.Options.self, from: Data(earlier.utf8))
        #expect(options.isReadOnly && options.replacesAccount && options.limits.ratio == 6)
        #expect(!options.allowsDamaged && !options.allowsHiddenEntries)
        var changed = options
        (changed.allowsDamaged, changed.allowsHiddenEntries) = (true, true)
        let again = try JSONDecoder().decode(
            ArchiveImport.Options.self, from: JSONEncoder().encode(changed))
        #expect(again.allowsDamaged && again.allowsHiddenEntries)
    }
}
