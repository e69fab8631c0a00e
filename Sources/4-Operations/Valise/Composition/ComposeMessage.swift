package import SystemPackage
import ValiseChatLog
package import ValiseComposition
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// Says what would be sent in a chat, and which limits it meets or breaks. Nothing is sent: no connection is opened but for the
/// preview of a page, where that is asked for.
package struct ComposeMessage: Operation {
    /// The account and the one chat.
    package var input: ConversationInput
    /// Nil for that of the item that is edited, or of the draft.
    package var text: String?
    /// The item that is answered: its row, its ID, or `last`.
    package var reply: String?
    /// The item that is edited, likewise; `last` is the user's own last one.
    package var edit: String?
    /// Pictures and videos, or one file.
    package var attachments: [FilePath] = []
    /// Whether they go as files, whatever they are.
    package var attachesAsFiles = false
    /// An M4A.
    package var voice: FilePath?
    /// Members whose names the text has behind `@`.
    package var mentions: [String] = []
    /// Whether a text that is too large becomes several messages.
    package var splits = false
    /// What the preview of a page may take; nil for no preview.
    package var preview: LoadLinkPreview.Limits?
    /// Where prepared pictures are written; nil for nowhere.
    package var prepared: FilePath?
    /// Reads pictures.
    package var pictures = PictureProcess.preparer
    /// What is done with the draft of the chat.
    package var draft = DraftUse()

    /// What is done with the draft of a chat.
    package struct DraftUse: Sendable {
        /// Begin with it.
        package var restores = false
        /// Keep the message as the draft, for later.
        package var keeps = false

        package init() {}
    }

    /// - Parameter input: the account and the one chat.
    package init(_ input: ConversationInput) { self.input = input }

    /// How long a text may be in bytes: more than any message has.
    package static let longestText = 16 << 20

    /// The text of a file.
    /// - Throws: `FileError`; ``OperationError``: `invalid` for what is not UTF-8.
    package static func text(at path: FilePath) throws -> String {
        let bytes = try FileSystem().contents(of: path, limit: longestText)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw OperationError(.invalid, "the text is not UTF-8", subject: path.string)
        }
        return text
    }

    /// - Throws: ``OperationError``: `notFound` for an item, a member or a draft that is not there, `invalid` for a text without a
    ///   name that it is to mention; what the files and the page throw; as for reading the account.
    package func run(in context: OperationContext) async throws -> ComposedReport {
        var context = context
        context.events = { [events = context.events] event in
            if case .progress = event { return }
            events(event)
        }
        let found = try await input.read(to: "compose a message", counts: false, in: context) {
            [self, folders = context.folders] source, account, _ in
            try find(source, account, folders)
        }
        var composing = MessageComposing(self, found, context)
        return try await composing.run()
    }

    // MARK: What the account says

    private func find(
        _ source: any ConversationSource, _ account: ReadAccount?, _ folders: ValiseFolders
    ) throws -> FoundChat {
        guard let log = source as? ChatLog, let account else {
            throw OperationError(
                .unsupported, "an export has no rows of messages and members; only an account has",
                subject: input.path.string)
        }
        let conversation = try input.conversation(of: log) { _ in }
        guard let rights = try log.rights(in: conversation, damaged: { _ in }) else {
            throw OperationError(
                .notFound, "no chat has this name", subject: input.selectors.first, need: .knownChat)
        }
        let chat = ComposableChat(conversation, rights, now: Double(UTCTime.now.seconds))
        let drafts =
            draft.restores || draft.keeps
            ? try DraftStore(of: input, account, in: folders) : nil
        return FoundChat(
            chat: chat, replied: try reply.map { try item($0, of: chat, in: log) },
            edited: try edit.map { try item($0, of: chat, in: log, onlyOwn: true) }, drafts: drafts)
    }

    /// An item of the chat that is a message.
    private func item(
        _ name: String, of chat: ComposableChat, in log: ChatLog, onlyOwn: Bool = false
    ) throws -> ComposeItem {
        var found: ConversationItem?
        if name == "last" {
            try log.forEachItem(of: chat.conversation, newest: Self.newest, damaged: { _ in }) {
                if $0.message != nil, $0.deletion == nil, $0.isSent || !onlyOwn { found = $0 }
            }
        } else if let row = Int64(name) {
            try log.forEachItem(log.found([row], look: {}), of: chat.conversation, damaged: { _ in }) {
                found = $0
            }
        } else {
            try log.forEachItem(of: chat.conversation, damaged: { _ in }) {
                if $0.key == name { found = $0 }
            }
        }
        guard let found else {
            throw OperationError(.notFound, "the chat has no such message", subject: name)
        }
        guard let item = chat.item(found) else {
            throw OperationError(.invalid, "not a message, but something that happened", subject: name)
        }
        return item
    }

    /// So many items are looked at for the last message: behind it may be some that are none.
    private static let newest: Int64 = 100
}

/// What the account says of the chat and of the items that the message is about.
struct FoundChat: Sendable {
    let chat: ComposableChat
    let replied: ComposeItem?
    let edited: ComposeItem?
    /// Nil where no draft is wanted.
    let drafts: DraftStore?
}
