public import ValiseAccounts

/// What the entries of one role have in common.
public struct EntryComparison: Sendable, Equatable, Codable {
    /// An entry of one side.
    public struct Entry: Sendable, Equatable, Codable {
        public let name: String
        /// In bytes, unpacked.
        public let size: Int64
    }

    /// An entry of both sides with different bytes.
    public struct Difference: Sendable, Equatable, Codable {
        public let name: String
        /// In bytes, unpacked.
        public let firstSize: Int64
        /// In bytes, unpacked.
        public let secondSize: Int64
    }

    /// A file of media whose bytes differ and whose content is the same.
    public struct Reencrypted: Sendable, Equatable, Codable {
        public let name: String
        public let how: SameContent
    }

    /// A file that could not be read.
    public struct Unreadable: Sendable, Equatable, Codable {
        public let name: String
        /// Which side's file it is.
        public let isInFirst: Bool
        public let message: String
    }

    /// How many entries a side has.
    public struct Tally: Sendable, Equatable, Codable {
        public private(set) var count = 0
        /// In bytes, unpacked.
        public private(set) var size: Int64 = 0

        mutating func add(_ entry: AccountEntry?) {
            guard let entry else { return }
            count += 1
            size = size.addingReportingOverflow(entry.size).partialValue
        }
    }

    public let role: EntryRole
    public private(set) var first = Tally()
    public private(set) var second = Tally()
    public private(set) var identical = 0
    public private(set) var onlyInFirst = BoundedList<Entry>()
    public private(set) var onlyInSecond = BoundedList<Entry>()
    /// Entries whose content differs, as far as it could be looked into.
    public private(set) var different = BoundedList<Difference>()
    /// Media with the same content behind different encryption.
    public private(set) var sameContent = BoundedList<Reencrypted>()
    public private(set) var unreadable = BoundedList<Unreadable>()

    init(_ role: EntryRole, _ matches: [EntryMatch]) {
        self.role = role
        for match in matches where match.role == role { add(match) }
    }

    private mutating func add(_ match: EntryMatch) {
        first.add(match.first)
        second.add(match.second)
        let (left, right) = (match.first?.size ?? 0, match.second?.size ?? 0)
        switch match.outcome {
        case .identical: identical += 1
        case .onlyInFirst: onlyInFirst.add(Entry(name: match.name, size: left))
        case .onlyInSecond: onlyInSecond.add(Entry(name: match.name, size: right))
        case .otherSize, .otherContent, .notCompared:
            different.add(Difference(name: match.name, firstSize: left, secondSize: right))
        case .sameContent(let how): sameContent.add(Reencrypted(name: match.name, how: how))
        case .unreadable(let isInFirst, let message):
            unreadable.add(Unreadable(name: match.name, isInFirst: isInFirst, message: message))
        }
    }

    /// Whether every entry is on both sides, with the same content.
    public var isSame: Bool {
        onlyInFirst.isEmpty && onlyInSecond.isEmpty && different.isEmpty && unreadable.isEmpty
    }
}
