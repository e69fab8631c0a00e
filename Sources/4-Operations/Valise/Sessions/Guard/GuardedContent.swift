import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
package import ValiseSessionStore

/// What is in a database, as far as a guard proves it.
package struct GuardedContent: Codable, Sendable, Equatable {
    /// Which version of its schema it has.
    package let schema: SessionSchemaVersion
    package let conversations: Int64
    /// Of all conversations, events too.
    package let messages: Int64

    /// Verifies every page, opens the store and counts.
    ///
    /// - Throws: `SessionStoreError`: `damaged`, `newer`, `unsupported`; whatever `progress` throws.
    init(
        of snapshot: SessionSnapshot, _ progress: @escaping @Sendable (OperationProgress) throws -> Void
    ) throws {
        let total = snapshot.databaseSize
        let problems = try snapshot.verifyPages { read in
            try progress(
                OperationProgress(
                    "verifying pages", completed: min(read, total), total: total, unit: .bytes))
        }
        if let problem = problems.first {
            let more = problems.count > 1 ? ", and \(Count.text(problems.count - 1, "more problem"))" : ""
            throw SessionStoreError(.damaged, "the database is damaged: \(problem)\(more)")
        }
        let store = try snapshot.open()
        let found = try store.conversations { _ in }
        schema = store.version
        conversations = Int64(found.count)
        messages = found.reduce(0) { $0.saturatingSum($1.messages) }
    }

    /// In a sentence.
    package var text: String {
        "\(Count.text(conversations, "conversation")), \(Count.text(messages, "message"))"
    }
}

extension SessionSchemaVersion {
    /// In a table, such as `schema 11/54`.
    package var text: String {
        if let migrations { return Count.text(migrations, "migration") }
        let numbers = [userVersion, lokiSchema].compactMap { $0.map(String.init) }
        return "schema \(numbers.joined(separator: "/"))"
    }
}
