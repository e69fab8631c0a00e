package import ValiseDatabase
import ValiseEncoding

/// Writes conversations as pages for a browser: ``begin(_:)``, ``add(_:)`` for each item and ``end()`` for each conversation,
/// then ``finish()``. Memory holds one page and a part of the search index, whatever the size of the account.
package struct HTMLExport {
    private let options: HTMLOptions
    private let sink: any PageSink
    private let media: (ItemFile) throws -> PageMedia?
    private var writer: ConversationWriter?
    private var conversation: Conversation?
    private var index = ConversationIndex()
    private var search: SearchIndexWriter?

    /// - Parameters:
    ///   - options: how pages are made.
    ///   - sink: receives the files.
    ///   - spill: temporary files of the search index.
    ///   - media: the exported copy of an item's file; nil where there is none. Where nothing else is given, what the item says.
    package init(
        _ options: HTMLOptions, sink: any PageSink, spill: any SpillStore,
        media: @escaping (ItemFile) throws -> PageMedia? = PageMedia.exported
    ) {
        self.options = options
        self.sink = sink
        self.media = media
        search = options.hasSearch ? SearchIndexWriter(sink: sink, spill: spill) : nil
    }

    /// Begins a conversation. They are listed in the order in which they begin.
    package mutating func begin(_ conversation: Conversation) {
        self.conversation = conversation
        let writer = ConversationWriter(conversation, options, sink: sink, media: media)
        search?.begin(conversation, folder: writer.folder)
        self.writer = writer
    }

    /// Adds an item; what the app does not show either is left out.
    /// - Throws: what the sink, the temporary files and `media` throw; ``HTMLExportError``.
    package mutating func add(_ item: ConversationItem) throws {
        guard item.isShown, let place = try writer?.add(item) else { return }
        try search?.add(item, page: place.page, minutes: place.minutes)
    }

    /// Ends a conversation.
    /// - Throws: as ``add(_:)``.
    package mutating func end() throws {
        guard let conversation, var writer else { return }
        self.writer = nil
        try writer.finish()
        index.add(conversation, ConversationIndex.Pages(writer))
    }

    /// Writes the index of conversations, the search index and what pages refer to.
    /// - Throws: as ``add(_:)``.
    package mutating func finish() throws {
        try sink.write("index.html", index.page(options))
        for file in options.templates.files { try sink.write("web/\(file.name)", file.bytes) }
        guard var search else { return }
        self.search = nil
        try search.finish()
        let values = PageValues.common(options, root: "", title: "Search")
        try sink.write("search.html", options.templates.page("search", values))
    }

    /// Writes conversations of a source.
    /// - Parameters:
    ///   - conversations: some of the source's.
    ///   - selection: the items that are wanted.
    ///   - damaged: receives what is wrong with a row that cannot be read.
    /// - Throws: `DatabaseError`; as ``add(_:)``; what `damaged` throws.
    package mutating func write(
        _ conversations: [Conversation], of source: some ConversationSource,
        selection: ItemSelection = ItemSelection(), damaged: (DatabaseError) throws -> Void
    ) throws {
        for conversation in conversations {
            begin(conversation)
            try source.forEachItem(of: conversation, newest: nil, damaged: damaged) { item in
                if selection.contains(item) { try add(item) }
            }
            try end()
        }
    }
}
