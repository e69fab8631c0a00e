import FaultInjection
import SessionBuilders
import SystemPackage
import ValiseDatabase
import ValiseEncoding
import ValiseFiles
import ValiseSecrets

@testable import ValiseChatLog
@testable import ValiseSessionStore

/// Synthetic accounts of Session in a temporary folder.
struct SessionFixture {
    enum Program: CaseIterable { case desktop, phone }

    let folder: TemporaryFolder
    let story: Story
    let program: Program

    var place: FilePath { folder.appending("account") }

    /// Before anything disappears but what does within seconds.
    static let now = UTCTime(seconds: Story.start / 1000 * 2)

    /// - Parameter statements: run on the database at the end.
    init(_ program: Program = .desktop, messages: Int = 420, statements: [String] = []) throws {
        try self.init(program, Story(seed: 11, messages: messages), statements: statements)
    }

    /// - Parameters:
    ///   - desktop: writes the profile.
    ///   - era: of the folder of iOS.
    ///   - statements: run on the database at the end.
    init(
        _ program: Program = .desktop, _ story: Story, desktop: DesktopBuilder = DesktopBuilder(),
        era: PhoneEra = .current, statements: [String] = []
    ) throws {
        folder = try TemporaryFolder(inMemory: true)
        (self.story, self.program) = (story, program)
        switch program {
        case .desktop:
            var builder = desktop
            builder.seal = DesktopBuilder.encryption
            try builder.write(story, to: place)
            try change(
                DesktopBuilder.database(place), builder.passphrase,
                desktop.isOlderCipher ? ["cipher_compatibility = 3"] : [], statements)
        case .phone:
            try PhoneBuilder(era: era).write(story, to: place)
            try change(
                PhoneBuilder.database(place), "x'\(Hexadecimal.encode(PhoneBuilder.key))'",
                ["cipher_plaintext_header_size = 32"], statements)
        }
    }

    private func change(
        _ path: FilePath, _ passphrase: String, _ cipher: [String], _ statements: [String]
    ) throws {
        guard !statements.isEmpty else { return }
        let connection = try Connection(
            path, mode: .readWrite, passphrase: SecretBytes(copying: Array(passphrase.utf8)), cipher: cipher)
        for statement in statements { try connection.execute(statement) }
    }

    // MARK: Opening

    func store() throws -> any SessionStore {
        switch program {
        case .desktop: try DesktopProfile(place).open(password: nil, workFolder: folder.path)
        case .phone:
            try PhoneContainer(place).open(
                key: PhoneKey(SecretBytes(copying: PhoneBuilder.key)), workFolder: folder.path)
        }
    }

    func log(includesExpired: Bool = true) throws -> SessionLog {
        try SessionLog(
            store(), now: Self.now, includesExpired: includesExpired, reopen: { [self] in try store() })
    }

    func conversation(_ log: SessionLog, _ kind: Story.ChatKind) throws -> Conversation? {
        let chat = story.chats.first { $0.kind == kind }
        return try log.conversations().first { $0.key == SessionLogKey.text(of: chat?.id ?? "") }
    }
}

extension ConversationSource {
    /// The items of a conversation.
    func items(of conversation: Conversation, newest: Int64? = nil) throws -> [ConversationItem] {
        var items: [ConversationItem] = []
        try forEachItem(of: conversation, newest: newest, damaged: { throw $0 }, { items.append($0) })
        return items
    }

    /// All items by the keys of their conversations.
    func allItems() throws -> [String: [ConversationItem]] {
        var all: [String: [ConversationItem]] = [:]
        for conversation in try conversations(includesHidden: true, damaged: { throw $0 }) {
            all[conversation.key] = try items(of: conversation)
        }
        return all
    }
}
