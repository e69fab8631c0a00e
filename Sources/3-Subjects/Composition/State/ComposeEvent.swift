public import ValiseChatSchema

/// What happens to a message while it is composed.
public enum ComposeEvent: Sendable, Equatable {
    // Text and links

    /// The user typed: the whole text as it is now.
    case textChanged(String)
    /// The time before the preview of a link is over.
    case linkDelayPassed(String)
    /// The user answered whether previews of pages are wanted.
    case linkPreviewsChosen(LinkPreviewAnswer)
    /// The preview of a link is there.
    case linkPreviewLoaded(String, MessageContent.LinkPreview)
    /// The preview of a link cannot be had.
    case linkPreviewFailed(String)
    /// The time is over in which that is shown.
    case linkFailurePassed(String)
    /// The user does not want this preview.
    case linkPreviewCancelled
    /// The user chose a member for what was typed after `@`.
    case mentionChosen(ComposeMember, replacing: Range<Int>)

    // Attachments

    /// Pictures and films were chosen, pasted or dropped; nil for each that cannot be used.
    case mediaPicked([AttachedMedia?])
    /// A file was chosen.
    case filePicked(ComposedFile)
    /// An invitation to a chat was shared.
    case chatLinkShared(MessageContent.ChatLink)
    /// The user removed what was attached.
    case attachmentRemoved

    // Voice

    /// The user began to record into a file.
    case recordingStarted(ComposedFile)
    /// The microphone may not be used.
    case recordingRefused
    /// So many seconds are recorded.
    case recordingProgressed(seconds: Double)
    /// The user released the button, which was held for so many seconds.
    case recordingReleased(held: Double, seconds: Double)
    /// The recording ended, by the button or because another sound began.
    case recordingStopped(seconds: Double)
    /// The user does not want the voice message.
    case voiceCancelled

    // Context

    /// The user replies to an item.
    case replied(ComposeItem)
    /// The user edits an item.
    case edited(ComposeItem)
    /// The user forwards items of a chat.
    case forwarded([ComposeItem], from: ComposeChat)
    /// The user reports an item: `spam`, `content`, `community`, `profile`, `other`.
    case reported(ComposeItem, reason: String)
    /// The user removed what the message is about.
    case contextRemoved

    // Live messages

    /// The user wants the message to go out while it is typed.
    case liveStarted
    /// Three seconds passed.
    case liveTicked
    /// The first part was sent: the row of its item.
    case liveSent(item: Int64)
    /// The user does not want a live message.
    case liveCancelled

    // Sending

    /// The user sends the message.
    case sendPressed
    /// Sending takes longer than a second.
    case sendingSlow
    /// All was sent.
    case sent
    /// Nothing was sent.
    case sendingFailed

    // The chat

    /// The user leaves the chat.
    case chatLeft
    /// The user entered a chat that has a draft.
    case draftRestored(ComposeState)
    /// What the chat allows has changed.
    case policyChanged
}

/// Whether previews of pages are wanted.
public enum LinkPreviewAnswer: Sendable, Equatable {
    /// From now on.
    case enable
    /// Never.
    case disable
    /// Not this one.
    case notNow
}
