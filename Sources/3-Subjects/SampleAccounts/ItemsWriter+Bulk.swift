extension ItemsWriter {
    /// From this item on, an account is large: the plan, which tries everything out, would not be like one.
    static let bulkStart = 5000

    /// What a message of a large account has besides its text, of a hundred.
    private static let traits: [ItemTrait] =
        Array(repeating: .none, count: 85) + Array(repeating: .quote, count: 5)
        + Array(repeating: .reactions, count: 4) + Array(repeating: .edited, count: 3) + [
            .forward, .mention, .deleted,
        ]

    /// Every fiftieth has a file.
    private static let mediaKinds: [SampleMessage.Kind] = [.image, .image, .voice, .image, .file, .video]

    /// One message of a large account: most are texts in a few busy chats.
    func writeBulkMessage() throws {
        let isMedia = count % 50 == 0
        let trait = isMedia ? .none : Self.traits[generator.below(Self.traits.count)]
        let chat = chats.choose(bulkPlace(trait), trait, &generator)
        let isSent = direction(trait, chat)
        guard isMedia else {
            return try write(.plain(bulkTexts.next(&generator)), in: chat, isSent: isSent, trait)
        }
        let kind = Self.mediaKinds[count / 50 % Self.mediaKinds.count]
        try write(SampleMessage.make(kind, turn: count / 50, &generator), in: chat, isSent: isSent, trait)
    }

    private func bulkPlace(_ trait: ItemTrait) -> ItemPlace {
        if trait == .mention { return .group }
        return switch generator.below(100) {
        // Nobody reacts to notes.
        case 0 where trait != .reactions: .notes
        case 1: .hidden
        case 2: .support
        case ..<55: .direct
        default: .group
        }
    }
}
