/// What a file is to the service: each kind has its own limits.
public enum MediaKind: String, Sendable, Codable, CaseIterable {
    /// A picture.
    case image
    /// A film.
    case video
    /// A voice message.
    case voice
    /// Anything else.
    case file

    /// - Parameter name: a file name; only its extension counts.
    package init(fileName name: String) {
        let suffix = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
        self = Self.suffixes[suffix.lowercased()] ?? .file
    }

    /// By the first bytes, then by the name.
    ///
    /// MP4 is the one container for both films and recordings, and the phones' recorders do not say which: there
    /// the name decides. Where the whole file is at hand, ``MP4Outline`` knows.
    ///
    /// - Parameters:
    ///   - signature: what the first bytes say; nil where they say nothing.
    ///   - name: the file's name.
    package init(_ signature: MediaSignature?, fileName name: String) {
        let named = MediaKind(fileName: name)
        guard let signature else {
            self = named
            return
        }
        self = signature.format == .mp4 && named == .voice ? .voice : signature.kind
    }

    private static let suffixes: [String: MediaKind] = {
        let kinds: [(MediaKind, [String])] = [
            (.image, ["jpg", "jpeg", "png", "gif", "webp", "heic", "heif", "bmp", "avif"]),
            (.video, ["mp4", "mov", "m4v", "webm", "mkv", "avi", "3gp"]), (.voice, ["m4a"]),
        ]
        var suffixes: [String: MediaKind] = [:]
        for (kind, names) in kinds { for name in names { suffixes[name] = kind } }
        return suffixes
    }()
}
