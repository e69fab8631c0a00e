import ValiseEncoding

/// Which of some items can be forwarded, and what some of them lack.
///
/// Items go without a file that is not here; the user is asked first. What is no message does not go.
public struct ForwardPlan: Sendable, Equatable {
    /// What is known of the file of an item.
    public enum File: Sendable, Equatable {
        /// The item has none, or its file is here.
        case ready
        /// It was offered, and nobody took it.
        case notAccepted
        /// It is being received.
        case inProgress
        /// It was here, and is gone.
        case missing
        /// It could not be received.
        case failed
    }

    /// An item that the user chose.
    public struct Choice: Sendable, Equatable {
        /// The row in the database.
        public let id: Int64
        /// Whether it is a message that is there.
        public let isMessage: Bool
        /// Whether it says something without its file.
        public let hasText: Bool
        /// What is known of its file.
        public let file: File

        /// An item and its file.
        public init(id: Int64, isMessage: Bool = true, hasText: Bool = true, file: File = .ready) {
            self.id = id
            self.isMessage = isMessage
            self.hasText = hasText
            self.file = file
        }
    }

    /// The rows of the items that go, in the order in which they were chosen.
    public let items: [Int64]
    /// The rows of items whose files could be accepted first.
    public let notAccepted: [Int64]
    /// How many files are being received.
    public let inProgress: Int
    /// How many files are gone.
    public let missing: Int
    /// How many files could not be received.
    public let failed: Int
    /// How many of the items are no messages.
    public let others: Int

    /// Looks at what the user chose.
    public init(_ choices: [Choice]) {
        let messages = choices.filter(\.isMessage)
        func count(_ file: File) -> Int { messages.count { $0.file == file } }
        items = messages.filter { $0.file == .ready || $0.hasText }.map(\.id)
        notAccepted = messages.filter { $0.file == .notAccepted }.map(\.id)
        (inProgress, missing, failed) = (count(.inProgress), count(.missing), count(.failed))
        others = choices.count - messages.count
    }

    /// Whether all goes as it is.
    public var isComplete: Bool { notAccepted.isEmpty && inProgress + missing + failed + others == 0 }

    /// What lacks, one sentence each; none where all goes.
    public var problems: [String] {
        var problems: [String] = []
        func add(_ count: Int, _ noun: String, _ words: String) {
            if count > 0 { problems.append("\(Count.text(count, noun)) \(words)") }
        }
        add(notAccepted.count, "file", "not accepted")
        add(inProgress, "file", "still being received")
        add(missing, "file", "missing")
        add(failed, "file", "not received")
        add(others, "item", "without a message")
        return problems
    }
}
