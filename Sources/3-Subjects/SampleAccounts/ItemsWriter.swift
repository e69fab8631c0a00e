import ValiseDatabase

/// Writes the items of all chats by the plan, then one for each bulk file.
final class ItemsWriter {
    private let options: SampleAccount.Options
    let chats: SampleChats
    let bulkTexts: BulkTexts
    private let media: MediaWriter
    private let items: RowInserter
    private let details: ItemDetailsWriter
    private let wire: WireWriter
    var generator: SampleGenerator
    private var time = SampleTime.start
    private var turns: [SampleMessage.Kind: Int] = [:]
    private var events = 0
    private var sentItems = 0
    /// The last message of each chat.
    var last: [Int: ItemRow] = [:]

    /// How many items were written.
    private(set) var count = 0

    init(
        _ chat: SampleDatabase, _ chats: SampleChats, _ media: MediaWriter, _ options: SampleAccount.Options
    ) throws {
        self.options = options
        self.chats = chats
        self.media = media
        items = try RowInserter(chat, "chat_items", ItemRow.columns)
        details = try ItemDetailsWriter(chat)
        wire = try WireWriter(chat)
        generator = SampleGenerator(seed: options.seed, purpose: "items")
        bulkTexts = BulkTexts(seed: options.seed)
    }

    func write() throws {
        for index in 0..<max(0, options.messages) {
            guard index < Self.bulkStart else {
                try writeBulkMessage()
                continue
            }
            switch PlannedItem.plan[index % PlannedItem.plan.count] {
            case .event where index < 1000 || events % 4 == 0: try writeEvent()
            case .event:
                events += 1
                try writeMessage(.text, .none, .either)
            case .message(let kind, let trait, let place): try writeMessage(kind, trait, place)
            }
        }
        var bulk = BulkMedia(bytes: options.mediaBytes, size: options.mediaSize, seed: options.seed)
        while let (name, content) = bulk.next() {
            var item = newItem(chats.choose(.either, .none, &generator))
            item.fill(SampleMessage(tag: "file", text: ""))
            try add(item, message: nil)
            try media.add(bulk: name, content, to: item)
        }
    }

    // MARK: One item

    private func writeEvent() throws {
        let isDirect = events % 2 == 0
        let list = isDirect ? SampleEvent.direct : SampleEvent.group
        let event = list[events / 2 % list.count]
        events += 1
        var item = newItem(chats.choose(isDirect ? .direct : .group, .none, &generator), isSent: event.isSent)
        item.content = event.json
        item.contentTag = event.tag
        item.text = event.text
        try add(item, message: nil)
    }

    private func writeMessage(
        _ kind: SampleMessage.Kind, _ trait: ItemTrait, _ place: ItemPlace
    ) throws {
        let content = makeContent(kind)
        let chat = chats.choose(place, trait, &generator)
        try write(content, in: chat, isSent: direction(trait, chat), trait)
    }

    /// Writes a message with all that its trait brings along.
    func write(
        _ content: SampleMessage, in chat: SampleChat, isSent: Bool, _ trait: ItemTrait
    ) throws {
        var content = content
        var item = newItem(chat, isSent: isSent)
        let mentions = trait == .mention ? mention(in: &content, &item) : []
        item.fill(content)
        apply(trait, to: &item)
        let message = isRecent ? try wire.add(item, content) : nil
        try add(item, message: message)
        try details.add(trait, item, content, mentions, &generator)
        if let kind = content.media { try media.add(kind, to: item) }
        last[chat.key] = item
    }

    /// Media become rare, until an account is so large that its messages are made in bulk.
    private func makeContent(_ kind: SampleMessage.Kind) -> SampleMessage {
        let turn = turns[kind, default: 0]
        turns[kind] = turn + 1
        let content = SampleMessage.make(kind, turn: turn, &generator)
        let mayHaveMedia = media.count < 64 + count / 250
        guard content.media == nil || mayHaveMedia else { return .plain(SampleTexts.sentence(&generator)) }
        return content
    }

    private func newItem(_ chat: SampleChat, isSent: Bool? = nil) -> ItemRow {
        count += 1
        time = SampleTime(
            seconds: time.seconds + 1 + generator.below(90),
            milliseconds: count % 3 == 0 ? 0 : generator.below(1000))
        let isSent = isSent ?? (chat.noteFolder != nil)
        var item = ItemRow(
            id: count, chat: chat, isSent: isSent, time: time, sharedID: generator.bytes(12),
            content: [:], contentTag: "", text: "")
        item.status = status(of: item)
        guard !isSent, let group = chat.group else { return item }
        item.isShownAsGroup = group.kind == .channel && count % 2 == 0
        if case .support(_, let member?) = chat {
            item.member = member
        } else if !item.isShownAsGroup {
            item.member = group.authors.isEmpty ? nil : group.authors[generator.below(group.authors.count)]
        }
        return item
    }

    func direction(_ trait: ItemTrait, _ chat: SampleChat) -> Bool {
        switch (trait, chat) {
        case (_, .notes): true
        case (.moderated, _), (.blocked, _), (.blockedByAdmin, _): false
        // The user only reads the channel.
        case (_, .group(let group)) where group.kind == .channel: false
        default: generator.below(2) == 0
        }
    }

    private func status(of item: ItemRow) -> String {
        guard item.isSent else { return options.messages - count < 12 ? "rcv_new" : "rcv_read" }
        if item.chat.noteFolder != nil { return "snd_sent complete" }
        sentItems += 1
        return Self.sentStatuses[sentItems % Self.sentStatuses.count]
    }

    private static let sentStatuses =
        [
            "snd_new", "snd_sent partial", "snd_rcvd badMsgHash complete", "snd_rcvd ok partial",
            "snd_error_auth", "snd_error quota", "snd_error relay host", "snd_warning expired",
            "snd_warning proxy smp1.example.org version", "snd_error other CMD PROHIBITED", "snd_rcvd ok",
        ] + Array(repeating: "snd_sent complete", count: 12)
        + Array(repeating: "snd_rcvd ok complete", count: 20)

    private func add(_ item: ItemRow, message: Int?) throws {
        try items.add(item.values(message: message))
        if let message { try wire.link(item, message) }
    }

    /// The core forgets what went over the wire after about a month; here the last quarter is kept.
    private var isRecent: Bool {
        options.messages - count < min(options.messages / 4, 5000)
    }
}
