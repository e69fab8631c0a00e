import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMedia
import ValiseSecrets

/// Archives that leave media out: what is in them, what is said of the rest, and that they can be imported.
struct PartialArchiveTests {
    private let account: SampleAccountFixture
    private static let databases: Set<String> = ["simplex_v1_chat.db", "simplex_v1_agent.db"]
    private static let wallpaper = "simplex_v1_assets/wallpapers/wallpaper.jpg"

    init() throws {
        account = try SampleAccountFixture()
        // No message has this one.
        try account.fileSystem.replace(account.location.filesFolder.appending("stray.bin"), with: [1, 2, 3])
    }

    /// Files that are there, of rows that a condition means.
    private func media(where condition: String) throws -> Set<String> {
        let here = Set(try account.files().keys)
        let rows = try account.texts(
            """
            SELECT 'simplex_v1_files/' || file_path FROM files f
            LEFT JOIN chat_items i ON i.chat_item_id = f.chat_item_id
            WHERE file_path IS NOT NULL AND (\(condition))
            """)
        return Set(rows).intersection(here)
    }

    /// Exports, and compares with what should be in the archive, by this reader, an import and unzip.
    @discardableResult
    private func check(
        _ scope: ArchiveScope, _ expected: Set<String>, unreferenced: Int?
    ) throws -> PartialArchive {
        let before = try TemporaryFolder.contents(of: account.folder.path)
        let plan = try ArchiveExport(.init(scope: scope)).plan(
            account.location, to: account.archive, passphrase: SampleAccountFixture.key())
        #expect(try TemporaryFolder.contents(of: account.folder.path) == before)
        let report = try account.export(.init(scope: scope))
        #expect(try account.names() == expected)
        #expect(report.archiveErrors == [] && plan.archiveErrors == [])
        #expect(plan.partial == report.partial)
        #expect(plan.entries == report.entries && plan.sourceSize == report.sourceSize)
        #expect(plan.spaceNeeded >= report.archiveSize)

        let partial = try #require(report.partial)
        let files = try account.files()
        let missing = Set(files.keys).subtracting(expected)
        #expect(Set(partial.leftOut) == missing && partial.leftOutFiles == missing.count)
        #expect(partial.leftOutSize == missing.reduce(0) { $0 + Int64(files[$1]?.count ?? 0) })
        #expect(partial.unreferencedFiles == unreferenced)
        try checkImport(files.filter { expected.contains($0.key) })
        return partial
    }

    private func checkImport(_ expected: [String: [UInt8]]) throws {
        let target = AccountLocation(directory: account.folder.appending("imported"))
        let report = try ArchiveImport().import(
            account.archive, to: target, passphrase: SampleAccountFixture.key())
        #expect(report.archiveErrors == [] && report.databasesOpened)
        let found = try TemporaryFolder.contents(of: target.directory).compactMapValues(\.self)
        #expect(found == expected)
        guard let unzip = OtherProgram("unzip") else { return }
        let (status, output) = try unzip.run(["-tq", "a.zip"], in: account.folder.path.string)
        #expect(status == 0, "\(output)")
    }

    @Test func `the databases alone`() throws {
        let partial = try check(.onlyDatabases, Self.databases, unreferenced: nil)
        #expect(partial.kind == .onlyDatabases && partial.leftOut.contains(Self.wallpaper))
    }

    @Test func `without media the wallpapers stay`() throws {
        let partial = try check(
            .withoutMedia, Self.databases.union([Self.wallpaper]), unreferenced: nil)
        #expect(partial.kind == .withoutMedia)
    }

    @Test func `media of chats`() throws {
        let chosen = try media(where: "f.contact_id = 5 OR f.note_folder_id IS NOT NULL")
        #expect(chosen.count == 4)
        let name = try #require(
            try account.texts("SELECT local_display_name FROM contacts WHERE contact_id = 5").first)
        let partial = try check(
            .media(chats: ["@\(name)", "*"], since: nil),
            chosen.union(Self.databases).union([Self.wallpaper]), unreferenced: 1)
        #expect(partial.kind == .selectedMedia && partial.chats == ["@\(name)", "*"] && partial.since == nil)
    }

    @Test func `media from a time on, and of a chat from a time on`() throws {
        let time = Int64(1_767_225_600 + 1800)  // 2026-01-01 00:30:00
        let later = try media(where: "i.item_ts >= '2026-01-01 00:30:00'")
        let all = try media(where: "true")
        #expect(later.count > 3 && later.count < all.count)
        let partial = try check(
            .media(chats: [], since: time), later.union(Self.databases).union([Self.wallpaper]),
            unreferenced: 1)
        #expect(partial.since == "2026-01-01T00:30:00Z")
        try account.fileSystem.remove(account.archive)
        try account.fileSystem.removeTree(account.folder.appending("imported"))
        let both = try media(where: "i.item_ts >= '2026-01-01 00:30:00' AND f.note_folder_id IS NOT NULL")
        #expect(both.count == 1)
        try check(
            .media(chats: ["*"], since: time), both.union(Self.databases).union([Self.wallpaper]),
            unreferenced: 1)
    }

    @Test func `a file of two messages goes along with either`() throws {
        // The file of the notes is one that a contact has too.
        try account.connection().execute(
            "UPDATE files SET file_path = 'photo_0001.jpg' WHERE file_path = 'note_0007.txt'")
        try account.export(.init(scope: .media(chats: ["*"], since: nil)))
        #expect(try account.names().contains("simplex_v1_files/photo_0001.jpg"))
        #expect(try !account.names().contains("simplex_v1_files/note_0007.txt"))
    }

    @Test func `a path from another place counts by its last component`() throws {
        try account.connection().execute(
            """
            UPDATE files SET file_path = '/gone/simplex_v1_files/note_0007.txt'
                WHERE file_path = 'note_0007.txt'
            """)
        let report = try account.export(.init(scope: .media(chats: ["*"], since: nil)))
        #expect(try account.names().contains("simplex_v1_files/note_0007.txt"))
        #expect(report.partial?.unreferencedFiles == 1)
    }

    @Test func `an unknown chat, a missing and a wrong passphrase write nothing`() throws {
        let unknown = ArchiveExport.Options(scope: .media(chats: ["nobody"], since: nil))
        #expect { try account.export(unknown) } throws: { ($0 as? any Failure)?.code == .notFound }
        let options = ArchiveExport.Options(scope: .media(chats: ["*"], since: nil))
        #expect { try ArchiveExport(options).export(account.location, to: account.archive) } throws: {
            ($0 as? AccountArchiveError)?.code == .wrongPassphrase
        }
        #expect { try ArchiveExport(options).plan(account.location, to: account.archive) } throws: {
            ($0 as? AccountArchiveError)?.code == .wrongPassphrase
        }
        let names = try account.fileSystem.list(account.folder.path).compactMap(\.name)
        #expect(names == ["account"])
    }

    @Test func `a whole archive is not called partial, and a plan refuses what the export would`() throws {
        #expect(try account.export().partial == nil)
        #expect { try ArchiveExport().plan(account.location, to: account.archive) } throws: {
            ($0 as? AccountArchiveError)?.code == .alreadyExists
        }
        let inside = account.location.filesFolder.appending("x.zip")
        #expect { try ArchiveExport().plan(account.location, to: inside) } throws: {
            ($0 as? AccountError)?.code == .invalid
        }
    }

    @Test func `a job keeps the names of what an export contains`() throws {
        let names: [(ArchiveScope, String)] = [
            (.complete, "whole"), (.onlyDatabases, "onlyDatabases"), (.withoutMedia, "withoutMedia"),
        ]
        for (scope, name) in names {
            let written = try JSONEncoder().encode(scope)
            #expect(String(decoding: written, as: UTF8.self) == #"{"\#(name)":{}}"#)
            #expect(try JSONDecoder().decode(ArchiveScope.self, from: written) == scope)
        }
    }
}
