import ValiseDatabase

/// Writes conversations in rounds, each of which has every kind of item once.
final class ConversationsWriter {
    /// One step of a round.
    private enum Step {
        case directEvent(SampleEvent)
        case groupEvent(SampleEvent)
        case message(SampleMessage, isSent: Bool)
        case raw(RawContent, isSent: Bool)
        case file(FileForm)
        case status(String)
        case scene(SampleScene)
    }

    let places: ConversationPlaces
    let details: ItemDetailsWriter
    private let media: MediaWriter
    private let items: RowInserter
    private var clock: ConversationClock
    var generator: SampleGenerator
    private var nextID: Int
    private var sentItems = 0
    /// The last messages of each chat, of which there are few.
    private var recent: [Int: [ItemRow]] = [:]

    /// How many items were written.
    private(set) var count = 0

    /// - Parameter first: the id of the first item, behind those of the usual sample.
    init(
        _ chat: SampleDatabase, _ places: ConversationPlaces, _ media: MediaWriter, seed: UInt64, first: Int
    ) throws {
        self.places = places
        self.media = media
        items = try RowInserter(chat, "chat_items", ItemRow.columns)
        details = try ItemDetailsWriter(chat)
        generator = SampleGenerator(seed: seed, purpose: "conversations")
        clock = ConversationClock(seed: seed)
        nextID = first
    }

    /// Whole rounds until there are enough items.
    func write(atLeast wanted: Int) throws {
        try writeBanners()
        repeat {
            for step in mixed(Self.round) { try write(step) }
        } while count < wanted
        try writeUnread()
    }

    private static let round: [Step] = {
        var steps = SampleEvent.everyDirect.map { Step.directEvent($0) }
        steps += SampleEvent.everyGroup.map { .groupEvent($0) }
        for isSent in [false, true] {
            steps += SampleMessages.all.map { .message($0, isSent: isSent) }
            steps += RawContent.all.map { .raw($0, isSent: isSent) }
        }
        steps += FileForm.all.map { .file($0) }
        steps += SampleStatuses.sent.map { .status($0) }
        return steps + SampleScene.all.map { .scene($0) }
    }()

    /// The steps in another order each time, so that kinds stand beside kinds.
    private func mixed(_ steps: [Step]) -> [Step] {
        var steps = steps
        for last in stride(from: steps.count - 1, to: 0, by: -1) {
            steps.swapAt(last, generator.below(last + 1))
        }
        return steps
    }

    private func write(_ step: Step) throws {
        switch step {
        case .directEvent(let event): try write(event, in: places.direct(&generator))
        case .groupEvent(let event): try write(event, in: places.group(&generator))
        case .message(let content, let isSent): try write(content, isSent: isSent)
        case .raw(let raw, let isSent): try write(raw, isSent: isSent)
        case .file(let form): try write(form)
        case .status(let status):
            var item = newItem(places.anySending(&generator), isSent: true)
            item.fill(.plain(SampleTexts.sentence(&generator)))
            item.status = status
            try add(item)
        case .scene(let scene): try play(scene)
        }
    }

    // MARK: Single items

    func write(_ event: SampleEvent, in chat: SampleChat) throws {
        var item = newItem(chat, isSent: event.isSent)
        item.content = event.json
        item.contentTag = event.tag
        item.text = event.text
        try add(item)
    }

    private func write(_ content: SampleMessage, isSent: Bool) throws {
        // Only what is sent is in the notes.
        var item = newItem(isSent ? places.anySending(&generator) : places.any(&generator), isSent: isSent)
        item.fill(content)
        try add(item)
        if let kind = content.media { try media.add(kind, to: item) }
    }

    private func write(_ raw: RawContent, isSent: Bool) throws {
        let (json, tag) = raw.filled(isSent: isSent)
        var item = newItem(places.direct(&generator), isSent: isSent)
        item.content = .raw(json)
        item.contentTag = tag
        item.messageTag = raw.messageTag
        item.text = raw.text
        try add(item)
    }

    private func write(_ form: FileForm) throws {
        var item = newItem(
            form.isSent ? places.anySending(&generator) : places.any(&generator), isSent: form.isSent)
        item.fill(SampleMessage(tag: "file", text: ""))
        try add(item)
        try media.add(form, to: item)
    }

    /// The head of each chat, which has the time zero.
    private func writeBanners() throws {
        for chat in places.all {
            var item = newItem(chat, isSent: true)
            (item.time, item.sharedID) = (SampleTime(seconds: 0), [])
            (item.content, item.contentTag) = (SampleEvent.banner.json, SampleEvent.banner.tag)
            item.text = "chat banner"
            try add(item)
        }
    }

    // MARK: For the scenes

    /// The next item of a chat, without content.
    func newItem(_ chat: SampleChat, isSent: Bool, by author: SampleMember? = nil) -> ItemRow {
        defer { nextID += 1 }
        count += 1
        let times = clock.next(isSent: isSent)
        var item = ItemRow(
            id: nextID, chat: chat, isSent: isSent, time: times.sent, sharedID: generator.bytes(12),
            content: [:],
            contentTag: nil, text: "")
        item.createdAt = times.stored
        item.status = isSent ? sentStatus(in: chat) : "rcv_read"
        guard !isSent, let group = chat.group else { return item }
        item.member = author ?? places.author(in: chat, &generator)
        // A channel's own posts have no author.
        item.isShownAsGroup = group.kind == .channel && author == nil && nextID % 2 == 0
        if item.isShownAsGroup { item.member = nil }
        return item
    }

    private func sentStatus(in chat: SampleChat) -> String {
        guard chat.noteFolder == nil else { return "snd_sent complete" }
        sentItems += 1
        return sentItems % 3 == 0 ? "snd_sent complete" : "snd_rcvd ok complete"
    }

    /// Writes it, with what the members have of it.
    func add(_ item: ItemRow) throws {
        try items.add(item.values(message: nil))
        var last = recent[item.chat.key, default: []]
        if item.messageTag != nil { last.append(item) }
        recent[item.chat.key] = last.suffix(8)
        guard item.isSent, item.messageTag != nil, let group = item.chat.group else { return }
        let all = SampleStatuses.members
        for (index, member) in group.authors.enumerated() {
            let status = all[(item.id + index) % all.count]
            try details.add(status: status, of: member, to: item, isThroughProxy: index % 5 == 1)
        }
    }

    /// A message to answer to, newest first; nil in a chat that has none like it.
    func last(in chat: SampleChat, where isWanted: (ItemRow) -> Bool) -> ItemRow? {
        recent[chat.key, default: []].last { isWanted($0) }
    }

    /// Ends some chats with what nobody has read yet.
    private func writeUnread() throws {
        for (index, chat) in places.receiving.enumerated() where index % 2 == 0 {
            for _ in 0...index % 4 {
                var item = newItem(chat, isSent: false)
                item.fill(.plain(SampleTexts.sentence(&generator)))
                item.status = "rcv_new"
                try add(item)
            }
        }
        for event in SampleEvent.everyCall where event.text == "incoming call: missed" {
            var item = newItem(places.direct(&generator), isSent: false)
            (item.content, item.contentTag, item.text) = (event.json, event.tag, event.text)
            item.status = "rcv_new"
            try add(item)
        }
    }
}
