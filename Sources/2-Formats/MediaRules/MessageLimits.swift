/// The rules of the service for messages, beside those for media in `MediaLimits`.
public enum MessageLimits {
    /// How many members a message may mention when it is sent.
    public static let mentions = 3
    /// How many characters the preview of a picture, a film or a page has at most, as a `data:` address.
    public static let previewCharacters = 14_000
    /// How many pictures and films are chosen at once.
    public static let mediaAtOnce = 10
    /// How long after it was sent a message may be changed, in seconds: a day.
    public static let editableSeconds: Double = 86_400
    /// The largest message on the wire in bytes of its JSON.
    public static let wireBytes = 15_602
    /// The largest message on the wire where it is compressed, in bytes of its frame.
    public static let compressedWireBytes = 13_380
    /// The largest message that a receiver unpacks, in bytes of its JSON.
    public static let unpackedBytes = 65_536
    /// How long after a change of the link its preview is loaded, in seconds.
    public static let previewDelay = 1.5
    /// How long the failure of a preview is shown, in seconds.
    public static let previewFailureDelay = 0.5
    /// How often a live message is sent, in seconds.
    public static let liveInterval = 3.0
    /// How long sending takes before it shows that it does, in seconds.
    public static let slowSending = 1.0
    /// The shortest press that records while it is held, in seconds; a shorter one begins a recording.
    public static let heldPress = 1.0
    /// What the menu of timed messages offers, in seconds.
    public static let lifetimes = [30, 60, 300]
    /// How many reactions a user may give to an item.
    public static let reactions = 3
}
