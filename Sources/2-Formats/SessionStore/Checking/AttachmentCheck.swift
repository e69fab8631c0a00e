import SystemPackage
package import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// Compares the attachments of messages with their files. Each file is looked at once, however many messages have it.
package struct AttachmentCheck {
    /// How many attachments there are, by what is the matter.
    package struct Counts: Sendable, Hashable, Codable {
        package fileprivate(set) var intact: Int64 = 0
        package fileprivate(set) var missing: Int64 = 0
        package fileprivate(set) var damaged: Int64 = 0
        /// They were never received, or never sent.
        package fileprivate(set) var notReceived: Int64 = 0
        /// Of messages that the app would have removed by now, and whose files are not looked at.
        package fileprivate(set) var expired: Int64 = 0

        package init() {}
    }

    /// An attachment that is missing or damaged.
    package struct Problem: Sendable, Hashable {
        /// The path in the folder of attachments, or the sender's name of the file.
        package let name: String
        package let message: String
    }

    private enum State { case intact, missing, damaged }

    private let store: any SessionStore
    private let reader: AttachmentReader?
    private let readsContents: Bool
    private let now: UTCTime
    /// By their paths, what was found before.
    private var known: [String: State] = [:]

    package private(set) var counts = Counts()
    /// The first thousand.
    package private(set) var problems: [Problem] = []

    private static let mostProblems = 1000
    private static let overhead = LocalAttachment.overhead

    /// - Parameters:
    ///   - store: of the messages.
    ///   - readsContents: whether encrypted files are decrypted, to verify them; else only their sizes are looked at.
    ///   - now: by which messages are expired.
    /// - Throws: ``SessionStoreError`` with `damaged` for a key that is none; `SecretsError`.
    package init(_ store: any SessionStore, readsContents: Bool, now: UTCTime) throws {
        self.store = store
        self.readsContents = readsContents
        self.now = now
        reader = try store.attachmentKey().map { key in
            let bytes = try unsafe key.withBytes { try unsafe SecretBytes(copying: $0) }
            return try AttachmentReader(.local, key: SharedSecret(bytes))
        }
    }

    /// Looks at the attachments of a message.
    /// - Parameter progress: gets the bytes of a file that were read; throw to stop.
    /// - Throws: errors of reading; whatever `progress` throws.
    package mutating func check(_ message: SessionMessage, progress: (Int64) throws -> Void) throws {
        let others = (message.quote?.attachments ?? []) + message.linkPreviews.compactMap(\.picture)
        let isExpired = message.isExpired(at: now)
        for attachment in message.attachments + others {
            if isExpired {
                counts.expired += 1
            } else {
                try check(attachment, progress)
            }
        }
    }

    private mutating func check(_ attachment: SessionAttachment, _ progress: (Int64) throws -> Void) throws {
        guard let path = attachment.file else {
            if case .unsafe(let path) = attachment.place {
                count(.damaged)
                add(path, "the path leaves the folder of attachments")
            } else {
                counts.notReceived += 1
            }
            return
        }
        if let state = known[path.string] { return count(state) }
        let state = try examine(attachment, path.string, progress)
        known[path.string] = state
        count(state)
    }

    private mutating func count(_ state: State) {
        switch state {
        case .intact: counts.intact += 1
        case .missing: counts.missing += 1
        case .damaged: counts.damaged += 1
        }
    }

    private mutating func add(_ name: String, _ message: String) {
        if problems.count < Self.mostProblems { problems.append(Problem(name: name, message: message)) }
    }

    private mutating func examine(
        _ attachment: SessionAttachment, _ name: String, _ progress: (Int64) throws -> Void
    ) throws -> State {
        do {
            let source = try store.content(of: attachment)
            if let problem = try problem(of: source, attachment, progress) {
                add(name, problem)
                return .damaged
            }
            return .intact
        } catch let error as any Failure where error.code == .notFound {
            add(name, "the file is missing")
            return .missing
        } catch let error as SessionStoreError where [.damaged, .wrongKey].contains(error.kind) {
            // There is one key for all files: it is this one that is damaged.
            add(name, error.kind == .wrongKey ? "the file is damaged" : error.message)
            return .damaged
        }
    }

    private func problem(
        of source: any ByteSource, _ attachment: SessionAttachment, _ progress: (Int64) throws -> Void
    ) throws -> String? {
        guard case .file(_, .desktopEncrypted) = attachment.place else {
            // iOS stores 0 where it does not know the size.
            let isWhole = attachment.size.map { $0 == 0 || $0 == source.size } ?? true
            return isWhole ? nil : "the file has another size than its message says"
        }
        guard source.size >= Self.overhead else { return "the file is too short" }
        guard let reader else { return "the key of the attachments is missing" }
        if readsContents { try reader.verify(source, progress: progress) }
        return nil
    }
}
