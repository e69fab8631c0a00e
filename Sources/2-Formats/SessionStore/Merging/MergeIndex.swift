/// Which messages of a conversation are the same in several stores, and their order.
///
/// It has 56 bytes for each message of each store, and 32 for each merged one: of one conversation at a time.
struct MergeIndex {
    /// A message of a store.
    private struct Entry {
        /// The identity; of what has none, the content, until it is known whether another store has the identity.
        var key: MergeDigest
        let content: MergeDigest
        /// By which the message is ordered, in milliseconds since 1970.
        let time: Int64
        let row: Int64
        let store: UInt8
        /// The smaller, the better ``time`` is.
        let rank: UInt8
        let hasIdentity: Bool
        /// Nil where it is not stored.
        let isUnread: Bool?
        /// Which of the IDs that the store has for the conversation.
        let id: UInt32
    }

    /// What became one message.
    private struct Group {
        let time: Int64
        let number: Int64
        let start: Int
        let end: Int
    }

    private let ownID: String?
    private var entries: [Entry] = []
    private var groups: [Group] = []
    /// How many messages at least one store has as unread, and none as read.
    private(set) var unread: Int64 = 0
    /// How many messages several stores have.
    private(set) var shared: Int64 = 0

    init(ownID: String?) { self.ownID = ownID }

    /// How many messages there are.
    var count: Int { groups.count }

    /// - Parameters:
    ///   - message: of a store.
    ///   - store: its number.
    ///   - id: the place of the ID that the message was found under, among those that the store has for the conversation.
    mutating func add(_ message: SessionMessage, of store: Int, under id: Int) {
        let keys = MergeKeys(message, ownID: ownID)
        let (time, rank): (Int64, UInt8) =
            if let time = message.serverTime {
                (time.milliseconds, 0)
            } else if let time = message.sentAt {
                (time.milliseconds, 1)
            } else if let time = message.receivedAt {
                (time.milliseconds, 2)
            } else {
                // Before all others.
                (.min, 3)
            }
        entries.append(
            Entry(
                key: keys.identity ?? keys.content, content: keys.content, time: time, row: message.row,
                store: UInt8(clamping: store), rank: rank, hasIdentity: keys.identity != nil,
                isUnread: message.isUnread, id: UInt32(clamping: id)))
    }

    /// When all messages were added.
    mutating func finish() {
        assignKeys()
        entries.sort { ($0.key, $0.store, $0.row) < ($1.key, $1.store, $1.row) }
        var start = 0
        while start < entries.count {
            let end = entries[start...].firstIndex { $0.key != entries[start].key } ?? entries.count
            add(start..<end)
            start = end
        }
        groups.sort { ($0.time, $0.number, $0.start) < ($1.time, $1.number, $1.start) }
    }

    private mutating func add(_ range: Range<Int>) {
        guard
            let first = entries[range].min(by: { ($0.rank, $0.time) < ($1.rank, $1.time) })
        else { return }
        if entries[range.lowerBound].store != entries[range.upperBound - 1].store { shared += 1 }
        let states = entries[range].compactMap(\.isUnread)
        if !states.isEmpty, states.allSatisfy(\.self) { unread += 1 }
        groups.append(
            Group(
                time: first.time, number: first.key.number, start: range.lowerBound, end: range.upperBound))
    }

    // MARK: What has no identity

    /// Finds, for each message without identity, the one of another store that has the same content.
    private mutating func assignKeys() {
        guard entries.contains(where: { !$0.hasIdentity }) else { return }
        entries.sort { ($0.content, $0.store, $0.row) < ($1.content, $1.store, $1.row) }
        var start = 0
        while start < entries.count {
            let end =
                entries[start...].firstIndex { $0.content != entries[start].content } ?? entries.count
            if end - start > 1 { assignKeys(start..<end) }
            start = end
        }
    }

    /// Among those of the same content: the first that has none gets the first identity that its store does not have, and so on;
    /// what is left over is counted in each store, so that the same number of equal ones stays.
    private mutating func assignKeys(_ range: Range<Int>) {
        let known = entries[range].filter(\.hasIdentity)
        let keys = Set(known.map(\.key)).sorted()
        var taken: (store: UInt8?, free: [MergeDigest], rest: Int) = (nil, [], 0)
        for index in range where !entries[index].hasIdentity {
            let store = entries[index].store
            if taken.store != store {
                let own = Set(known.filter { $0.store == store }.map(\.key))
                taken = (store, keys.filter { !own.contains($0) }.reversed(), 0)
            }
            if let key = taken.free.popLast() {
                entries[index].key = key
            } else {
                entries[index].key = entries[index].content.repeated(taken.rest)
                taken.rest += 1
            }
        }
    }

    // MARK: Reading

    /// Where the copies of a message are.
    struct Place {
        let number: Int64
        let copies: [(store: Int, id: Int, row: Int64)]
    }

    /// In the order of the conversation: by time, and among those of the same time by a number made of the identity.
    subscript(position: Int) -> Place {
        let group = groups[position]
        return Place(
            number: group.number,
            copies: entries[group.start..<group.end].map { (Int($0.store), Int($0.id), $0.row) })
    }
}
