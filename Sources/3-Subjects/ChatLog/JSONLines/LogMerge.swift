import ValiseEncoding

/// Two exports of a conversation as one: what is new, what changed, and what the account no longer has.
///
/// Both are in the order of the program that wrote them, so that they are merged as they are read.
struct LogMerge {
    /// Where an item is in the order of its conversation.
    private struct Place: Comparable {
        /// What is no time is before all others.
        let time: UTCTime?
        let row: Int64

        init(_ item: ConversationItem, isOrderedByTime: Bool) {
            time = (isOrderedByTime ? item.time : item.createdAt).value
            row = item.row
        }

        static func < (left: Place, right: Place) -> Bool {
            guard left.time != right.time else { return left.row < right.row }
            guard let leftTime = left.time else { return true }
            return right.time.map { leftTime < $0 } ?? false
        }
    }

    private let isOrderedByTime: Bool
    private let gone: String
    /// The next item of the earlier export.
    private var waiting: ConversationItem?
    private let nextEarlier: () throws -> ConversationItem?
    private let output: (ConversationItem) throws -> Void
    private(set) var counts = Counts()

    /// What was found.
    struct Counts {
        var added = 0
        var gone = 0
    }

    /// - Parameters:
    ///   - isOrderedByTime: as groups are; others are in the order in which the device saw them.
    ///   - gone: the time that items are marked with that the account no longer has.
    ///   - nextEarlier: gives the items of the earlier export.
    ///   - output: gets all items in their order.
    init(
        isOrderedByTime: Bool, gone: String, nextEarlier: @escaping () throws -> ConversationItem?,
        output: @escaping (ConversationItem) throws -> Void
    ) throws {
        self.isOrderedByTime = isOrderedByTime
        self.gone = gone
        self.nextEarlier = nextEarlier
        self.output = output
        waiting = try nextEarlier()
    }

    /// An item of the account.
    mutating func add(_ item: ConversationItem) throws {
        let place = Place(item, isOrderedByTime: isOrderedByTime)
        while let earlier = waiting, Place(earlier, isOrderedByTime: isOrderedByTime) < place {
            try keep(earlier)
        }
        if let earlier = waiting, Place(earlier, isOrderedByTime: isOrderedByTime) == place {
            let kept = Self.keeping(earlier, in: item)
            waiting = try nextEarlier()
            return try output(kept)
        }
        counts.added += 1
        try output(item)
    }

    /// A copy that the export has stays in it, also where files are left out now, or the account no longer has this one.
    private static func keeping(_ earlier: ConversationItem, in item: ConversationItem) -> ConversationItem {
        guard let copy = earlier.file?.exported, copy.path != nil, item.file?.exported?.path == nil else {
            return item
        }
        var item = item
        item.file?.exported = copy
        return item
    }

    /// After the last item of the account.
    mutating func end() throws {
        while let earlier = waiting { try keep(earlier) }
    }

    private mutating func keep(_ earlier: ConversationItem) throws {
        var earlier = earlier
        if earlier.gone == nil {
            earlier.gone = gone
            counts.gone += 1
        }
        try output(earlier)
        waiting = try nextEarlier()
    }
}
