public import ValiseEncoding
public import ValiseMediaRules

/// What the chat database says of one file: a row of the table `files`, and the item it belongs to (SimpleX's data
/// model, §7.2 and §7.8).
public struct MediaReference: Sendable {
    /// The row.
    public let fileID: Int64
    /// Nil where the row does not say.
    public let userID: Int64?
    /// Nil for files of no chat, such as profiles of groups on their way.
    public let chat: MediaChat?
    /// The message; nil where there is none.
    public let itemID: Int64?
    /// The author of a received item of a group; nil for everything else.
    public let memberID: Int64?
    /// Whether this user sent it; nil without a message.
    public let isSent: Bool?
    /// The name that the sender's file had; nil where the row does not say. Anything, so never a path of ours.
    public let fileName: String?

    /// The name as the manifest of an export has it: empty where there is none.
    var recordedName: String { fileName ?? "" }

    /// As it is stored: below the files folder, or absolute.
    public let filePath: String
    /// The size of the content in bytes.
    public let fileSize: Int64
    /// `ci_file_status`; nil in old rows.
    public let status: String?
    public let keys: Keys
    /// When it was sent or received.
    public let time: UTCTime?
    public let kind: MediaKind

    /// What the row holds of keys.
    public enum Keys: Sendable {
        /// None: the file is plain.
        case none
        /// Both.
        case complete
        /// One of the two, or a key of another length: no program could decrypt the file.
        case broken
    }

    /// Whether the file should be here: everything of one's own, and what was received whole.
    public var shouldBeHere: Bool {
        guard let status else { return false }
        return status.hasPrefix("snd_") || status == "rcv_complete" || status.hasPrefix("rcv_complete ")
    }

    /// The size that the file should have, in bytes; no file has a negative one.
    public var expectedSize: Int64 {
        guard fileSize >= 0 else { return fileSize }
        let (size, overflow) = fileSize.addingReportingOverflow(keys == .complete ? 16 : 0)
        return overflow ? .max : size
    }
}

/// A chat by its row.
public enum MediaChat: Sendable, Hashable {
    case contact(Int64)
    case group(Int64)
    /// Private notes.
    case notes(Int64)
}
