/// What has to be done because of an event. The state does nothing itself: who drives it carries these out and tells what
/// became of them as events.
public enum ComposeEffect: Sendable, Equatable {
    /// Replace the typed text, and put the cursor behind this many bytes of it.
    case replaceText(String, cursor: Int)
    /// Wait, then send ``ComposeEvent/linkDelayPassed(_:)``.
    case waitForLink(String, seconds: Double)
    /// Ask whether previews are wanted.
    case askForLinkPreviews(String)
    /// Load the preview of a page.
    case loadLinkPreview(String)
    /// Wait, then send ``ComposeEvent/linkFailurePassed(_:)``.
    case waitAfterLinkFailure(String, seconds: Double)
    /// Stop every other sound.
    case stopPlayback
    /// Record into the file, and stop after so many seconds.
    case startRecording(ComposedFile, limit: Int)
    /// Stop recording.
    case stopRecording
    /// Remove a file that was made for the message.
    case deleteFile(ComposedFile)
    /// Explain what a live message is. Then begin again, with ``ComposePolicy/hasExplainedLive``.
    case explainLive
    /// Show an item that was not sent yet.
    case showLiveItem
    /// Remove that item.
    case removeLiveItem
    /// Send ``ComposeEvent/liveTicked`` at this interval in seconds.
    case startLiveTimer(interval: Double)
    /// Stop that.
    case stopLiveTimer
    /// Hand messages to the chat program.
    case send([OutgoingMessage])
    /// Wait, then send ``ComposeEvent/sendingSlow``.
    case waitForSending(seconds: Double)
    /// Keep the message for when the user comes back.
    case saveDraft(ComposeState)
    /// Forget what was kept.
    case clearDraft
    /// Bring back what was kept, with ``ComposeEvent/draftRestored(_:)``.
    case restoreDraft
    /// Say why something was not done.
    case refuse(ComposeRefusal)
}
