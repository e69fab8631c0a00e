import FaultInjection
import Foundation
import Testing
import ValiseEncoding
import ValiseSampleAccounts

@testable import Valise

/// Which files an export of conversations has, and where.
struct MediaChoiceTests {
    private let folder: TemporaryFolder
    private let account: AccountLocation
    private let context: OperationContext

    init() throws {
        folder = try TemporaryFolder("valise-operations", inMemory: true)
        account = AccountLocation(directory: folder.appending("account"))
        context = OperationContext(folders: ValiseFolders(state: folder.appending("state")))
        try SampleAccount(.init(messages: 150, mediaEncryption: .unencrypted))
            .build(account, passphrase: SecretBytes.empty())
    }

    private var out: FilePath { folder.appending("out") }

    private func chat() throws -> Connection {
        try Connection(account.path(of: .chat), mode: .readWrite, passphrase: SecretBytes.empty())
    }

    /// The items with files that an export has.
    private func export(
        _ choice: MediaChoice?, updates: Bool = false
    ) async throws -> (report: ConversationExportReport, items: [ConversationItem]) {
        var operation = ExportConversations(ConversationInput(account.directory), to: out)
        operation.media = choice
        operation.updates = updates
        let report = try await operation.run(in: context)
        let log = try ExportedLog(out)
        var items: [ConversationItem] = []
        for conversation in try log.conversations(includesHidden: true, damaged: { throw $0 }) {
            try log.forEachItem(
                of: conversation, newest: nil, damaged: { throw $0 },
                { if $0.file != nil { items.append($0) } })
        }
        return (report, items)
    }

    private func bytes(_ path: FilePath) throws -> [UInt8] {
        try FileSystem().contents(of: path, limit: 1 << 24)
    }

    @Test func `copies have the names and times of their messages`() async throws {
        let (report, items) = try await export(MediaChoice())
        #expect(report.copied > 5)
        var seen = 0
        for item in items {
            guard let file = item.file, let path = file.exported?.path, let time = item.time.value else {
                continue
            }
            // The copy of another message with the same content has that one's name and time.
            guard path.contains("/\(file.row)-") else { continue }
            let copy = out.pushing(FilePath(path))
            let attributes = try FileManager.default.attributesOfItem(atPath: copy.string)
            let modified = try #require(attributes[.modificationDate] as? Date)
            #expect(Int64(modified.timeIntervalSince1970) == time.seconds, "\(path)")
            if file.name.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: ":") }) {
                #expect(path.hasSuffix("/\(file.row)-\(file.name)"), "\(path)")
            }
            seen += 1
        }
        #expect(seen == report.copied)
    }

    /// Gives the file of one row the content of another.
    private func makeTwins() throws -> [Int64] {
        let rows = try chat().rows(
            """
            SELECT file_id, file_path FROM files WHERE ci_file_status = 'rcv_complete'
                AND file_path NOT LIKE '/%' AND chat_item_id IS NOT NULL ORDER BY file_id LIMIT 2
            """)
        let paths = try rows.map { account.filesFolder.appending(try #require($0[1].text)) }
        let content = try bytes(paths[0])
        try FileSystem().replace(paths[1], with: content)
        let identifiers = rows.compactMap { Int64($0[0]) }
        try chat().execute("UPDATE files SET file_size = \(content.count) WHERE file_id = \(identifiers[1])")
        return identifiers
    }

    @Test func `the same content is copied once, also by an update`() async throws {
        let rows = try makeTwins()
        let (report, items) = try await export(MediaChoice())
        let twins = items.compactMap(\.file).filter { rows.contains($0.row) }
        #expect(twins.count == 2 && Set(twins.compactMap { $0.exported?.path }).count == 1)
        #expect(report.duplicates >= 1)
        let again = try await export(MediaChoice(), updates: true)
        #expect(again.report.copied == 0 && again.report.duplicates == report.duplicates)
        #expect(again.items.map { $0.file?.exported } == items.map { $0.file?.exported })
    }

    @Test func `files are chosen by kind and size`() async throws {
        var choice = MediaChoice()
        choice.kinds = [.image, .voice]
        choice.largest = 4300
        let (report, items) = try await export(choice)
        var (present, leftOut) = (0, 0)
        for item in items {
            let file = try #require(item.file)
            let isWanted = [.image, .voice].contains(item.kind) && (file.size ?? 0) <= 4300
            if file.exported?.state == .present { present += 1 }
            if file.exported?.state == .leftOut { leftOut += 1 }
            // What never came is told as such.
            let isUnfinished = file.exported?.state == .unfinished
            #expect(isUnfinished || (file.exported?.state == .leftOut) == !isWanted, "\(file.name)")
        }
        #expect(present > 0 && leftOut > 0 && report.media["left-out"] != nil)
        // What an earlier export has stays in it.
        _ = try await export(MediaChoice(), updates: true)
        let later = try await export(choice, updates: true)
        #expect(later.items.count { $0.file?.exported?.state == .leftOut } < leftOut)
    }

    @Test func `unencrypted files are linked where they are`() async throws {
        var choice = MediaChoice()
        choice.links = true
        let (report, items) = try await export(choice)
        #expect(report.linked > 5 && report.copied == 0)
        for item in items {
            guard let file = item.file, let path = file.exported?.path else { continue }
            #expect(path.hasPrefix("../account/"), "\(path)")
            #expect(try bytes(out.pushing(FilePath(path))).count == Int(try #require(file.size)), "\(path)")
        }
    }

    @Test func `encrypted files are copied all the same`() async throws {
        try FileSystem().removeTree(account.directory)
        try SampleAccount(.init(messages: 150, mediaEncryption: .encrypted))
            .build(account, passphrase: SecretBytes.empty())
        var choice = MediaChoice()
        choice.links = true
        let (report, _) = try await export(choice)
        #expect(report.copied > 5 && report.linked == 0)
    }

    @Test func `no files, if none are wanted`() async throws {
        let (report, items) = try await export(nil)
        #expect(report.copied == 0 && items.allSatisfy { $0.file?.exported?.state == .leftOut })
    }
}
