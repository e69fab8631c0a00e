/// An upload that is not finished, or whose links have not been saved yet.
public struct InterruptedUpload: Sendable, Encodable {
    /// By which it is discarded.
    public let id: String
    /// The source; of a content its name.
    package let path: String
    /// In bytes.
    package let size: Int64
    /// In seconds since 1970.
    package let created: Int64
    package let recipients: Int
    /// How many chunks relays have acknowledged.
    package let storedChunks: Int
    /// Whether everything is on the relays and only its links are not taken note of.
    package let isComplete: Bool
    /// Whether another run is at it.
    package let isRunning: Bool
    /// Whether its journal cannot be read: it can only be discarded, and the rest of what is said here means nothing.
    package let isDamaged: Bool
    /// By which the source is known again; nil of a content, and where the journal cannot be read.
    package internal(set) var source: SourceIdentity?

    private enum CodingKeys: CodingKey {
        case id, path, size, created, recipients, storedChunks, isComplete, isRunning, isDamaged
    }
}

extension InterruptedUpload {
    /// One of which only the name is known.
    init(unreadable id: String, isRunning: Bool) {
        self.init(
            id: id, path: "", size: 0, created: 0, recipients: 0, storedChunks: 0, isComplete: false,
            isRunning: isRunning, isDamaged: !isRunning)
    }
}
