package import ValiseEncoding

/// Where an item is in its conversation, for whoever begins to read there.
package struct ItemPosition: Sendable, Equatable {
    /// Its number among the items that can be read, from 0.
    package let ordinal: Int64
    /// The time by which it is ordered, as it is stored; empty for a source without rows.
    let time: String
    /// Its row; 0 likewise.
    let row: Int64
    /// Where its line begins; 0 for a source that is no file.
    let offset: Int64

    init(ordinal: Int64, time: String = "", row: Int64 = 0, offset: Int64 = 0) {
        self.ordinal = ordinal
        self.time = time
        self.row = row
        self.offset = offset
    }
}

/// What has to be known of an item to divide a conversation into pages.
package struct ItemOutline: Sendable {
    package let place: ItemPosition
    /// See ``ConversationItem/key``.
    package let key: String
    /// Nil for what is no time.
    package let time: UTCTime?
    /// See ``ConversationItem/isShown``.
    package let isShown: Bool
    /// See ``ConversationItem/isUnread``.
    package let isUnread: Bool
    /// About how many bytes it takes in a page.
    package let weight: Int

    /// What is around the content of an item: names, times, marks.
    private static let frame = 500

    init(
        _ place: ItemPosition, key: String, time: UTCTime?, isShown: Bool, isUnread: Bool, content: Int,
        quote: Int
    ) {
        self.place = place
        self.key = key
        self.time = time
        self.isShown = isShown
        self.isUnread = isUnread
        weight = Self.frame + content + quote
    }

    init(_ item: ConversationItem, at place: ItemPosition) {
        self.init(
            place, key: item.key, time: item.time.value, isShown: item.isShown, isUnread: item.isUnread,
            content: item.storedContent.utf8.count, quote: item.quote?.storedContent?.utf8.count ?? 0)
    }
}
