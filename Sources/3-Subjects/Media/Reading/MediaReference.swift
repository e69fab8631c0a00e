package import ValiseEncoding
package import ValiseMediaRules

/// What the chat database says of one file: a row of the table `files`, and the item it belongs to (SimpleX's data
/// model, §7.2 and §7.8).
package struct MediaReference: Sendable {
    /// The row.
    package let fileID: Int64
    /// Nil where the row does not say.
    package let userID: Int64?
    /// Nil for files of no chat, such as profiles of groups on their way.
    package let chat: MediaChat?
    /// The message; nil where there is none.
    package let itemID: Int64?
    /// The author of a received item of a group; nil for everything else.
    package let memberID: Int64?
    /// Whether this user sent it; nil without a message.
    package let isSent: Bool?
    /// The name that the sender's file had; nil where the row does not say. Anything, so never a path of ours.
    package let fileName: String?

    /// The name as the manifest of an export has it: empty where there is none.
    var recordedName: String { fileName ?? "" }

    /// As it is stored: below the files folder, or absolute.
    package let filePath: String
    /// The size of the content in bytes.
    package let fileSize: Int64
    /// `ci_file_status`; nil in old rows.
    package let status: String?
    package let keys: Keys
    /// When it was sent or received.
    package let time: UTCTime?
    package let kind: MediaKind

    /// What the row holds of keys.
    package enum Keys: Sendable {
        /// None: the file is unencrypted.
        case none
        /// Both.
        case complete
        /// One of the two, or a key of another length: no program could decrypt the file.
        case broken
    }

    /// Whether the file should be here: everything of one's own, and what was received whole.
    package var shouldBeHere: Bool {
        guard let status else { return false }
        return status.hasPrefix("snd_") || status == "rcv_complete" || status.hasPrefix("rcv_complete ")
    }

    /// The size that the file should have, in bytes; no file has a negative one.
    package var expectedSize: Int64 {
        guard fileSize >= 0 else { return fileSize }
        let (size, overflow) = fileSize.addingReportingOverflow(keys == .complete ? 16 : 0)
        return overflow ? .max : size
    }
}

/// A chat by its row.
package enum MediaChat: Sendable, Hashable {
    case contact(Int64)
    case group(Int64)
    /// Private notes.
    case notes(Int64)
}
