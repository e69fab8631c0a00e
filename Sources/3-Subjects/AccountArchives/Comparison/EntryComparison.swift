package import ValiseAccounts

/// What the entries of one role have in common.
package struct EntryComparison: Sendable, Equatable, Codable {
    /// An entry of one side.
    package struct Entry: Sendable, Equatable, Codable {
        package let name: String
        /// In bytes, unpacked.
        package let size: Int64
    }

    /// An entry of both sides with different bytes.
    package struct Difference: Sendable, Equatable, Codable {
        package let name: String
        /// In bytes, unpacked.
        package let firstSize: Int64
        /// In bytes, unpacked.
        package let secondSize: Int64
    }

    /// A file of media whose bytes differ and whose content is the same.
    package struct Reencrypted: Sendable, Equatable, Codable {
        package let name: String
        package let how: SameContent
    }

    /// A file that could not be read.
    package struct Unreadable: Sendable, Equatable, Codable {
        package let name: String
        /// Which side's file it is.
        package let isInFirst: Bool
        package let message: String
    }

    /// How many entries a side has.
    package struct Tally: Sendable, Equatable, Codable {
        package private(set) var count = 0
        /// In bytes, unpacked.
        package private(set) var size: Int64 = 0

        mutating func add(_ entry: AccountEntry?) {
            guard let entry else { return }
            count += 1
            size = size.addingReportingOverflow(entry.size).partialValue
        }
    }

    package let role: EntryRole
    package private(set) var first = Tally()
    package private(set) var second = Tally()
    package private(set) var identical = 0
    package private(set) var onlyInFirst = BoundedList<Entry>()
    package private(set) var onlyInSecond = BoundedList<Entry>()
    /// Entries whose content differs, as far as it could be looked into.
    package private(set) var different = BoundedList<Difference>()
    /// Media with the same content behind different encryption.
    package private(set) var sameContent = BoundedList<Reencrypted>()
    package private(set) var unreadable = BoundedList<Unreadable>()

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
    package var isSame: Bool {
        onlyInFirst.isEmpty && onlyInSecond.isEmpty && different.isEmpty && unreadable.isEmpty
    }
}
