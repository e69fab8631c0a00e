/// Whether files are encrypted or decrypted.
public enum MediaDirection: String, Sendable, Codable {
    /// Plain files get a fresh key each, and the row of the database gets it too.
    case encrypt
    /// Encrypted files become unencrypted, and their rows lose the keys.
    case decrypt

    /// For messages: `encrypted`, `decrypted`.
    var done: String { self == .encrypt ? "encrypted" : "decrypted" }

    /// For journals and progress: `encrypting media`.
    var doing: String { self == .encrypt ? "encrypting media" : "decrypting media" }

    /// By how much a file grows, in bytes.
    var growth: Int64 { self == .encrypt ? 16 : -16 }
}
