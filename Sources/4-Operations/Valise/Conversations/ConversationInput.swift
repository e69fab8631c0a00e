package import SystemPackage
import ValiseAccounts
package import ValiseChatLog
import ValiseConcurrency
import ValiseDatabase
import ValiseSecrets

/// Opens conversations for the calling thread.
typealias ConversationOpener = @Sendable () throws -> any ConversationSource

/// Where conversations are read from, and which of them are wanted.
package struct ConversationInput: Sendable {
    /// The folder of an account, an archive, a store of Session, or the folder of an export.
    package var path: FilePath
    /// The prefix of the database names, where a folder holds several accounts.
    package var prefix: String?
    package var passphrase: PassphraseSource
    /// Names of conversations, see `ConversationSelector`; none for all.
    package var selectors: [String] = []
    /// Also those of hidden profiles.
    package var includesHidden = false
    /// Also messages of Session that its program would have removed by now.
    package var includesExpired = false
    /// The items that are wanted.
    package var items = ItemSelection()

    /// - Parameters:
    ///   - path: the folder of an account, an archive, or the folder of an export.
    ///   - prefix: the prefix of the database names, where a folder holds several accounts.
    ///   - passphrase: opens the databases.
    package init(_ path: FilePath, prefix: String? = nil, passphrase: PassphraseSource = PassphraseSource()) {
        self.path = path
        self.prefix = prefix
        self.passphrase = passphrase
    }

    /// Opens it, and lends what is there.
    /// - Parameters:
    ///   - purpose: what it is opened for, such as `read its messages`.
    ///   - counts: whether conversations tell how many items they have, which takes longer than all else of them.
    ///   - takesLong: whether the program of the account may begin to write to it in the meantime.
    ///   - context: of the operation.
    ///   - body: gets the conversations and, where they are those of an account, its reader.
    func read<Value: Sendable>(
        to purpose: String, counts: Bool = true, takesLong: Bool = false, in context: OperationContext,
        _ body: @Sendable @escaping (any ConversationSource, ReadAccount?, ProgressHandler) throws -> Value
    ) async throws -> Value {
        try await open(to: purpose, takesLong ? .byConversation : .little, in: context) { opened, progress in
            switch opened {
            case .export: return try body(ExportedLog(path), nil, progress)
            case .session(let session): return try body(session.log(counts: counts), nil, progress)
            case .account(let account):
                return try body(account.log(counts: counts, progress), account, progress)
            }
        }
    }

    /// Opens it for an operation that reads all of it: what is encrypted is checked once, and each thread can open it.
    /// - Parameters:
    ///   - purpose: what it is opened for, such as `read its messages`.
    ///   - context: of the operation.
    ///   - body: gets what opens the conversations and, where they are those of an account, its reader.
    func readAll<Value: Sendable>(
        to purpose: String, in context: OperationContext,
        _ body: @Sendable @escaping (ConversationOpener, ReadAccount?, ProgressHandler) throws -> Value
    ) async throws -> Value {
        try await open(to: purpose, in: context) { opened, progress in
            switch opened {
            case .export: return try body({ try ExportedLog(path) }, nil, progress)
            case .session(let session):
                let session = try session.verified(progress)
                return try body({ try session.log() }, nil, progress)
            case .account(let account):
                let database = try account.reader.precheck(
                    .chat, passphrase: account.key.bytes, progress: progress)
                return try body({ try ChatLog(database.connect()) }, account, progress)
            }
        }
    }

    /// What was found at the path.
    enum Opened {
        case export
        case session(SessionInput)
        case account(ReadAccount)
    }

    /// Opens it, and lends it as what it is: see ``read(to:counts:takesLong:in:_:)``.
    func open<Value: Sendable>(
        to purpose: String, _ reading: SessionReading = .byConversation, in context: OperationContext,
        _ body: @Sendable @escaping (Opened, ProgressHandler) throws -> Value
    ) async throws -> Value {
        let (isExport, place) = try await context.blocking { [path] _ in
            (try ExportedLog.isThere(path), try SessionPlace.find(path))
        }
        if isExport { return try await context.blocking { try body(.export, $0) } }
        if let place {
            let session = try await SessionInput(
                place, self, to: purpose, reading, in: context)
            let value = try await context.blocking { try body(.session(session), $0) }
            session.note.map { context.note($0) }
            return value
        }
        let account = try await passphrase.open(
            path, prefix: prefix, databases: [.chat], in: context.asking(to: purpose))
        return try await context.blocking { [path] progress in
            context.note(InUseNote(path.string, account.reader.holder))
            return try body(.account(account), progress)
        }
    }

    /// The conversations that are wanted, those that were used last first.
    /// - Throws: ``OperationError``: `notFound` for a name that nothing has, `invalid` for one that several have.
    func conversations(
        of source: any ConversationSource, damaged: (DatabaseError) throws -> Void
    ) throws -> [Conversation] {
        let all = try source.conversations(includesHidden: includesHidden, damaged: damaged)
        guard !selectors.isEmpty else { return all }
        var keys: Set<String> = []
        for text in selectors {
            for conversation in try Self.found(text, in: all) { keys.insert(conversation.key) }
        }
        return all.filter { keys.contains($0.key) }
    }

    /// The one conversation that is wanted.
    /// - Throws: as `conversations(of:damaged:)`.
    func conversation(
        of source: any ConversationSource, damaged: (DatabaseError) throws -> Void
    ) throws -> Conversation {
        let found = try conversations(of: source, damaged: damaged)
        guard found.count == 1 else { throw Self.ambiguous(selectors.first ?? "", found) }
        return found[0]
    }

    private static func found(_ text: String, in all: [Conversation]) throws -> [Conversation] {
        guard let selector = ConversationSelector(text) else {
            throw OperationError(
                .invalid, "neither the name of a chat nor a valid regular expression", subject: text)
        }
        let found = selector.matches(in: all)
        guard !found.isEmpty else {
            throw OperationError(
                .notFound, selector.namesSeveral ? "no chat matches" : "no chat has this name", subject: text,
                need: .knownChat)
        }
        guard found.count == 1 || selector.namesSeveral else { throw ambiguous(text, found) }
        return found
    }

    private static let mostCandidates = 10

    private static func ambiguous(_ text: String, _ found: [Conversation]) -> OperationError {
        let profiles = Set(found.map(\.user)).count
        let names = found.prefix(mostCandidates).map { chat in
            let others = chat.name == chat.localName ? [] : [chat.name]
            let names = [chat.handle] + others + (profiles > 1 ? ["profile \(chat.userName)"] : [])
            return "\(chat.key) (\(names.joined(separator: ", ")))"
        }
        let more = found.count > mostCandidates ? ", and \(found.count - mostCandidates) more" : ""
        return OperationError(
            .invalid, "\(found.count) chats match: \(names.joined(separator: ", "))\(more)", subject: text,
            need: .chatID)
    }
}

extension ReadAccount {
    /// The conversations of the account, for the calling thread.
    func log(counts: Bool, _ progress: ProgressHandler) throws -> ChatLog {
        try ChatLog(
            reader.connectWithAnySettings(.chat, passphrase: key.bytes, progress: progress), counts: counts)
    }
}
