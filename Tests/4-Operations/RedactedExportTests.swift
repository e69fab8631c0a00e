import FaultInjection
import Foundation
import Testing
import ValiseSampleAccounts

@testable import Valise

/// Exports of an account that has marks in all names, texts and files.
struct RedactedExportTests {
    private let folder: TemporaryFolder
    private let account: AccountLocation
    private let context: OperationContext

    private static let marks: [ChatRedaction.Category: [String]] = [
        .names: ["zqname", "zqfull", "zqalias", "zqgroup", "zqlong", "zqabout", "zqevent"],
        .phones: ["5550112"], .links: ["zqhost", "zqmail"], .media: ["zqfile", "WnFwaWN0dXJl"],
    ]
    private static let words =
        "Zqname2, zqfull3 and ZQGROUP1: +49 170 5550112, https://zqhost.example/p, zqmail@mail.example"

    init() throws {
        folder = try TemporaryFolder("valise-operations", inMemory: true)
        account = AccountLocation(directory: folder.appending("account"))
        context = OperationContext(folders: ValiseFolders(state: folder.appending("state")))
        let none = try SecretBytes.empty()
        try SampleAccount(.init(messages: 150, mediaEncryption: .mixed, conversations: 1))
            .build(account, passphrase: none)
        let chat = try Connection(account.path(of: .chat), mode: .readWrite, passphrase: none)
        for change in Self.changes { try chat.execute(change) }
    }

    private static let changes = [
        """
        UPDATE contact_profiles SET display_name = 'zqname' || contact_profile_id,
            full_name = 'zqfull' || contact_profile_id, short_descr = 'zqabout',
            local_alias = CASE WHEN contact_profile_id % 2 THEN 'zqalias' || contact_profile_id ELSE '' END,
            image = 'data:image/png;base64,WnFwaWN0dXJl'
        """,
        """
        UPDATE group_profiles SET display_name = 'zqgroup' || group_profile_id, full_name = 'zqlong',
            description = 'zqabout', image = 'data:image/png;base64,WnFwaWN0dXJl'
        """,
        "UPDATE files SET file_name = 'zqfile' || file_id || '.jpg'",
        """
        UPDATE chat_items SET item_text = '\(words)',
            item_content = json_set(item_content, '$.rcvMsgContent.msgContent.text', '\(words)')
        WHERE json_valid(item_content)
            AND json_extract(item_content, '$.rcvMsgContent.msgContent.type') = 'text'
        """,
        """
        UPDATE chat_items SET quoted_content = json_set(quoted_content, '$.text', '\(words)')
        WHERE json_valid(quoted_content)
        """,
        "UPDATE chat_item_versions SET msg_content = json_set(msg_content, '$.text', '\(words)')",
        #"""
        UPDATE chat_items SET item_content = replace(item_content, '"displayName":"', '"displayName":"zqevent ')
        """#,
    ]

    private func operation(_ redaction: ChatRedaction, _ name: String = "out") -> ExportConversations {
        var input = ConversationInput(account.directory)
        input.includesHidden = true
        var operation = ExportConversations(input, to: folder.appending(name))
        operation.formats = ViewFormat.allCases
        operation.redaction = redaction
        return operation
    }

    /// The names and the bytes of all files, as one text.
    private func everything(in folder: FilePath) throws -> String {
        var all = ""
        for entry in try FileSystem().list(folder) {
            let path = folder.appending(try #require(entry.name))
            all += "\(entry.name ?? "")\n"
            all +=
                entry.kind == .directory
                ? try everything(in: path)
                : String(decoding: try FileSystem().contents(of: path, limit: 1 << 26), as: UTF8.self)
        }
        return all.lowercased()
    }

    @Test func `everything redacted: no mark is in any file, nor in its name`() async throws {
        let everyone = Set(ChatRedaction.Category.allCases)
        let report = try await operation(ChatRedaction(everyone)).run(in: context)
        #expect(report.items > 100 && report.copied == 0)
        let all = try everything(in: folder.appending("out"))
        for mark in Self.marks.values.joined() { #expect(!all.contains(mark.lowercased()), "\(mark)") }
        #expect(all.contains("person 1") && all.contains("group 1") && all.contains("[phone]"))
        // Every item is there, and reads as before.
        let plain = try await operation(ChatRedaction(), "plain").run(in: context)
        #expect(plain.items == report.items && plain.copied > 0)
    }

    @Test(arguments: ChatRedaction.Category.allCases) func `one category redacted: only its marks are gone`(
        category: ChatRedaction.Category
    ) async throws {
        _ = try await operation(ChatRedaction([category])).run(in: context)
        let all = try everything(in: folder.appending("out"))
        for (other, marks) in Self.marks {
            for mark in marks {
                #expect(all.contains(mark.lowercased()) == (other != category), "\(category): \(mark)")
            }
        }
    }

    @Test func `a redacted export is neither updated nor continued from one that is not`() async throws {
        _ = try await operation(ChatRedaction([.names])).run(in: context)
        for redaction in [ChatRedaction(), ChatRedaction([.names])] {
            var update = operation(redaction)
            update.updates = true
            let refused = await #expect(throws: OperationError.self) { _ = try await update.run(in: context) }
            #expect(refused?.code == .invalid)
        }
        // What a killed run left that kept nothing back.
        let left = folder.appending("second.partial").appending("media")
        try FileSystem().makeDirectories(left)
        try FileSystem().replace(left.appending("zqname.jpg"), with: [1])
        _ = try await operation(ChatRedaction([.names]), "second").run(in: context)
        #expect(try !everything(in: folder.appending("second")).contains("zqname"))
        var links = operation(ChatRedaction([.names]), "third")
        links.media?.links = true
        await #expect(throws: OperationError.self) { _ = try await links.run(in: context) }
    }

    @Test func `forms of an export are redacted, and its lines stay`() async throws {
        _ = try await operation(ChatRedaction()).run(in: context)
        let out = folder.appending("out")
        var render = RenderConversations(out, as: ViewFormat.allCases)
        render.redaction = ChatRedaction(Set(ChatRedaction.Category.allCases))
        _ = try await render.run(in: context)
        for format in ViewFormat.allCases {
            let all = try everything(in: out.appending(format.rawValue))
            for mark in Self.marks.values.joined() {
                #expect(!all.contains(mark.lowercased()), "\(format): \(mark)")
            }
        }
        #expect(try everything(in: out.appending("items")).contains("zqname"))
    }

    @Test func `senders are selected by their real names`() async throws {
        var own = operation(ChatRedaction([.names]))
        own.input.items.sender = "zqname2"
        let report = try await own.run(in: context)
        #expect(report.items > 0)
        #expect(try !everything(in: folder.appending("out")).contains("zqname"))
    }

    @Test func `what was asked for otherwise does not stay in an export that was interrupted`() async throws {
        let left = folder.appending("second.partial")
        try FileSystem().makeDirectories(left.appending("items"))
        try FileSystem().replace(left.appending("items").appending("contact-99.jsonl"), with: [1])
        _ = try await operation(ChatRedaction(), "second").run(in: context)
        let items = folder.appending("second").appending("items")
        #expect(try !FileSystem().exists(items.appending("contact-99.jsonl")))
        #expect(try !FileSystem().exists(folder.appending("second").appending(".request")))
    }

    @Test func `a file without a rule is refused: who names one expects that something is kept back`() throws
    {
        let rules = folder.appending("empty")
        try FileSystem().replace(rules, with: Array("# names\n\n".utf8))
        let error = #expect(throws: OperationError.self) { _ = try ChatRedaction(rulesAt: rules) }
        #expect(error?.code == .invalid)
    }

    @Test func `a line of a file that is no rule is named`() throws {
        let rules = folder.appending("rules")
        try FileSystem().replace(rules, with: Array("names\nnonsense\n".utf8))
        let error = #expect(throws: OperationError.self) { try ChatRedaction(rulesAt: rules) }
        #expect(error?.message == "line 2: not a rule: nonsense" && error?.subject == rules.string)
    }
}
