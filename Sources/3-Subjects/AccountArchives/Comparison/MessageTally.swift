import ValiseChatSchema
import ValiseDatabase
import ValiseMedia

/// Counts the messages of both sides by their chats, row by row.
final class MessageTally {
    /// What is read of each row beside what is compared, in the order of ``Extra``. A time is short; whatever else is there
    /// may not be.
    static let extras = [
        column(.contact), column(.group), column(.notes), column(.isSent), column(.time, longest: 40),
        column(.createdAt, longest: 40),
    ]

    private static func column(_ column: MessageColumn, longest: Int? = nil) -> RowOrder.Extra {
        RowOrder.Extra(column.rawValue, longest: longest)
    }

    private var total = MessageComparison()
    private var chats: [ChatKey: MessageComparison.Chat] = [:]

    private enum Extra: Int {
        case contact, group, notes, isSent, time, created
    }

    private struct ChatKey: Hashable {
        let kind: ChatKind
        let id: Int64
    }

    func startOver() {
        total = MessageComparison()
        chats = [:]
    }

    // MARK: Rows

    func onlyInFirst(_ key: RowKey, _ row: borrowing Statement, _ extras: Int) {
        let (chat, time) = (Self.chat(row, extras), Self.time(row, extras))
        count(chat, \.first, time)
        onlyIn(chat, \.first, key)
    }

    func onlyInSecond(_ key: RowKey, _ row: borrowing Statement, _ extras: Int) {
        let (chat, time) = (Self.chat(row, extras), Self.time(row, extras))
        count(chat, \.second, time)
        onlyIn(chat, \.second, key)
    }

    /// - Returns: whether both rows are of one message.
    func inBoth(
        _ key: RowKey, _ left: borrowing Statement, _ right: borrowing Statement, _ extras: Int, isSame: Bool
    ) -> Bool {
        let (mine, others) = (Self.chat(left, extras), Self.chat(right, extras))
        count(mine, \.first, Self.time(left, extras))
        count(others, \.second, Self.time(right, extras))
        if !isSame, !Self.isSameMessage(left, right, extras) {
            total.reusedIDs += 1
            onlyIn(mine, \.first, key)
            onlyIn(others, \.second, key)
            return false
        }
        total.shared += 1
        total.lastShared = key.number ?? total.lastShared
        (total.newerInFirst, total.newerInSecond) = (0, 0)
        guard !isSame else { return true }
        total.changed += 1
        chats[mine, default: .init(kind: mine.kind, id: mine.id)].changed += 1
        return true
    }

    private func count(
        _ key: ChatKey, _ side: WritableKeyPath<MessageComparison.Chat, MessageComparison.Side>,
        _ time: String?
    ) {
        chats[key, default: .init(kind: key.kind, id: key.id)][keyPath: side].count(time)
        if side == \.first { total.first.count(time) } else { total.second.count(time) }
    }

    private func onlyIn(
        _ chat: ChatKey, _ side: WritableKeyPath<MessageComparison.Chat, MessageComparison.Side>,
        _ key: RowKey
    ) {
        chats[chat, default: .init(kind: chat.kind, id: chat.id)][keyPath: side].countOnly(key.number)
        if side == \.first {
            total.first.countOnly(key.number)
            total.newerInFirst += 1
        } else {
            total.second.countOnly(key.number)
            total.newerInSecond += 1
        }
    }

    private static func chat(_ row: borrowing Statement, _ extras: Int) -> ChatKey {
        if let id = row.value(extras + Extra.contact.rawValue).integer {
            return .init(kind: .contact, id: id)
        }
        if let id = row.value(extras + Extra.group.rawValue).integer { return .init(kind: .group, id: id) }
        if let id = row.value(extras + Extra.notes.rawValue).integer { return .init(kind: .notes, id: id) }
        return .init(kind: .none, id: 0)
    }

    private static func time(_ row: borrowing Statement, _ extras: Int) -> String? {
        row.value(extras + Extra.time.rawValue).text
    }

    /// Texts, states and even chats of a message change; when it was made does not.
    private static func isSameMessage(
        _ left: borrowing Statement, _ right: borrowing Statement, _ extras: Int
    ) -> Bool {
        let created = extras + Extra.created.rawValue
        let hasCreated = left.storageClass(created) != .null && right.storageClass(created) != .null
        return left.hasSameValue(at: extras + Extra.isSent.rawValue, as: right)
            && left.hasSameValue(at: hasCreated ? created : extras + Extra.time.rawValue, as: right)
    }

    // MARK: Result

    /// - Parameter names: of the chats on each side.
    func result(_ first: MediaChats, _ second: MediaChats) -> MessageComparison {
        var result = total
        let differing = chats.values.filter {
            $0.first.only > 0 || $0.second.only > 0 || $0.changed > 0
        }.sorted { Self.weight($0) > Self.weight($1) }
        for var chat in differing {
            let (mine, others) = (first.shown(chat), second.shown(chat))
            chat.name = mine ?? others
            if let mine, let others, mine != others { chat.otherName = others }
            result.chats.add(chat)
        }
        return result
    }

    /// Those with most messages of one side alone first, then by their rows.
    private static func weight(_ chat: MessageComparison.Chat) -> (Int, Int, Int64) {
        (chat.first.only + chat.second.only, chat.changed, -max(chat.id, -.max))
    }
}

extension MessageComparison.Side {
    fileprivate mutating func count(_ time: String?) {
        count += 1
        guard let time, newest.map({ time > $0 }) ?? true else { return }
        newest = time
    }

    fileprivate mutating func countOnly(_ id: Int64?) {
        only += 1
        lowestOnly = lowestOnly ?? id
        highestOnly = id ?? highestOnly
    }
}

extension MediaChats {
    fileprivate func shown(_ chat: MessageComparison.Chat) -> String? {
        switch chat.kind {
        case .contact: self[.contact(chat.id)]?.shown
        case .group: self[.group(chat.id)]?.shown
        case .notes: self[.notes(chat.id)]?.shown
        case .none: nil
        }
    }
}
