/// The audit result for one file, or for one row that refers to a file.
public enum MediaVerdict: String, Sendable, Codable, CodingKeyRepresentable, CaseIterable {
    /// Here, and as the row says: the tag holds, or an unencrypted file has its size.
    case ok
    /// The key is right, and the tag does not fit, or the end is cut off.
    case damaged
    /// The key of the row does not belong to the file. A file that is damaged from its start on looks the same.
    case wrongKey
    /// Another size than the row says, and nothing else explains it.
    case wrongSize
    /// 16 bytes longer than its content, as an encrypted file is, and the row has no key.
    case encryptedWithoutKey
    /// The row has a key, and the file is unencrypted.
    case unencryptedWithKey = "plainWithKey"
    /// The row has half a key, or one of another length.
    case brokenKey
    /// There is no such file.
    case missing
    /// No row speaks of the file.
    case unreferenced
    /// Rows with different keys or sizes name one file; or names differ only in what Windows or macOS ignore.
    case nameCollision
    /// The path leads out of the account: nothing is said of the file.
    case elsewhere
    /// A symbolic link, which is not followed.
    case link
    /// A folder, a device or a pipe.
    case notAFile
    /// No file of this file system can have the name.
    case impossibleName
    /// The system does not let us read it.
    case unreadable

    /// Whether the file's content is lost, or cannot be had with what the row says.
    package var isDamage: Bool {
        switch self {
        case .damaged, .wrongKey, .wrongSize, .encryptedWithoutKey, .unencryptedWithKey, .brokenKey: true
        case .ok, .missing, .unreferenced, .nameCollision, .elsewhere, .link, .notAFile, .impossibleName,
            .unreadable:
            false
        }
    }
}
