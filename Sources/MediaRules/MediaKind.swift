/// What a file is to the service: each kind has its own limits.
public enum MediaKind: String, Sendable, Codable, CaseIterable {
    case image
    case video
    case voice
    /// Anything else.
    case file

    /// - Parameter name: a file name; only its extension counts.
    public init(fileName name: String) {
        let suffix = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
        self = Self.suffixes[suffix.lowercased()] ?? .file
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
