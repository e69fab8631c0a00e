import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
package import ValiseSessionStore

/// The result of a check of a store of Session.
package struct SessionCheckReport: OperationReport {
    /// The result in one word.
    package enum Verdict: String, Sendable, Encodable {
        /// Nothing is wrong.
        case intact
        /// The database is intact; attachments are missing or damaged, or single rows cannot be read.
        case entryProblems
        /// The database or a backup's frames are damaged.
        case damaged
    }

    /// An attachment that is missing or damaged, or another entry.
    package struct Problem: Sendable, Encodable, Equatable {
        package let name: String
        package let message: String
    }

    package let path: String
    /// Which program's store it is.
    package let program: SessionPlace.Kind
    /// Whether tables and indexes were not walked, and attachments not decrypted.
    package let isQuick: Bool
    /// In bytes.
    package let databaseSize: Int64
    /// What is wrong with the database, and with the frames of a backup; at most a hundred of each kind.
    package private(set) var damage: [String] = []
    package private(set) var conversations = 0
    package private(set) var messages: Int64 = 0
    /// Messages that the app would have removed by now.
    package private(set) var expired: Int64 = 0
    package private(set) var attachments = AttachmentCheck.Counts()
    /// Configurations of libsession that were decoded.
    package private(set) var configurations = 0
    /// Missing and damaged attachments, rows and configurations; the first thousand of each.
    package private(set) var problems: [Problem] = []

    init(_ access: SessionAccess, isQuick: Bool) {
        path = access.place.path.string
        program = access.place.kind
        self.isQuick = isQuick
        databaseSize = access.snapshot.databaseSize
    }

    package var verdict: Verdict {
        if !damage.isEmpty { return .damaged }
        return problems.isEmpty ? .intact : .entryProblems
    }

    package var entryFailures: [EntryFailure] { problems.map { EntryFailure($0.name, Remark($0.message)) } }

    private enum Key: String, CodingKey {
        case path, program, verdict, isQuick, databaseSize, damage, conversations, messages, expired,
            attachments, configurations, problems
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(path, forKey: .path)
        try container.encode(program, forKey: .program)
        try container.encode(verdict, forKey: .verdict)
        try container.encode(isQuick, forKey: .isQuick)
        try container.encode(databaseSize, forKey: .databaseSize)
        try container.encode(damage, forKey: .damage)
        try container.encode(conversations, forKey: .conversations)
        try container.encode(messages, forKey: .messages)
        try container.encode(expired, forKey: .expired)
        try container.encode(attachments, forKey: .attachments)
        try container.encode(configurations, forKey: .configurations)
        try container.encode(problems, forKey: .problems)
    }

    // MARK: Findings

    mutating func add(damage found: [String]) { damage += found }

    private static let mostProblems = 1000

    private mutating func add(_ error: SessionStoreError, _ name: String) {
        if problems.count < Self.mostProblems {
            problems.append(Problem(name: error.subject ?? name, message: error.message))
        }
    }

    /// Reads all messages and looks at their attachments. A store that cannot be read is known to be damaged then.
    /// - Throws: errors of reading that are no damage; whatever `progress` throws.
    mutating func readContents(_ access: SessionAccess, _ progress: ProgressHandler) throws {
        do {
            let store = try access.snapshot.open()
            try readConfigurations(store)
            try readMessages(store, progress)
        } catch let error as SessionStoreError where error.kind == .damaged {
            if damage.isEmpty { damage.append(error.message) }
        }
    }

    private mutating func readConfigurations(_ store: any SessionStore) throws {
        try store.forEachConfiguration { configuration in
            if let problem = configuration.problem {
                add(problem, "configuration \(configuration.identity.variant)")
            } else {
                configurations += 1
            }
        }
    }

    private mutating func readMessages(_ store: any SessionStore, _ progress: ProgressHandler) throws {
        let now = UTCTime.now
        var check = try AttachmentCheck(store, readsContents: !isQuick, now: now)
        var found = self
        // What was found up to a damaged page counts too.
        defer {
            found.attachments = check.counts
            found.problems += check.problems.map { Problem(name: $0.name, message: $0.message) }
            self = found
        }
        let all = try store.conversations { found.add($0, path) }
        let total = all.reduce(0) { $0 + $1.messages }
        found.conversations = all.count
        for conversation in all {
            try store.forEachMessage(
                of: conversation.id, newest: nil, damaged: { found.add($0, conversation.title) },
                { message in
                    found.messages += 1
                    if message.isExpired(at: now) { found.expired += 1 }
                    let done = OperationProgress(
                        "checking messages", completed: found.messages, total: total, unit: .items)
                    try check.check(message) { _ in try progress(done) }
                    if found.messages % 256 == 0 { try progress(done) }
                })
        }
    }
}
