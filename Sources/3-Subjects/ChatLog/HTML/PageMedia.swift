/// What an export has of the file of an item.
package struct PageMedia: Sendable, Equatable {
    /// How a page shows it. It follows from the content, not from the name.
    package enum Kind: String, Sendable {
        case picture, video, voice, file
    }

    /// Below the folder of the export, with `/` between names that are not encoded; nil where there is no copy.
    package let path: String?
    package let kind: Kind
    /// Whether it can be shown.
    package let state: ExportedMedia.State

    /// - Parameters:
    ///   - path: of the copy, below the folder of the export.
    ///   - kind: how it is shown.
    ///   - state: whether it can be.
    package init(path: String?, kind: Kind, state: ExportedMedia.State) {
        self.path = path
        self.kind = kind
        self.state = state
    }
}

extension PageMedia {
    /// By the ends of names, since browsers go by them for files. An SVG is none of the pictures: it may contain a script, which
    /// runs where somebody opens it by itself.
    private static let kinds: [String: (kind: Kind, type: String)] = [
        "jpg": (.picture, "image/jpeg"), "jpeg": (.picture, "image/jpeg"), "png": (.picture, "image/png"),
        "gif": (.picture, "image/gif"), "webp": (.picture, "image/webp"), "bmp": (.picture, "image/bmp"),
        "avif": (.picture, "image/avif"), "mp4": (.video, "video/mp4"), "webm": (.video, "video/webm"),
        "mov": (.video, "video/quicktime"), "m4v": (.video, "video/mp4"), "m4a": (.voice, "audio/mp4"),
        "mp3": (.voice, "audio/mpeg"), "ogg": (.voice, "audio/ogg"), "opus": (.voice, "audio/ogg"),
        "aac": (.voice, "audio/aac"), "wav": (.voice, "audio/wav"),
    ]

    private static func end(of name: String) -> String {
        name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    }

    /// The media type of what a page may show; nil for a file that can only be saved.
    package static func type(ofFile name: String) -> String? { kinds[end(of: name)]?.type }

    /// What an export has of a file, as ``ItemFile/exported`` says; nil where nothing was looked for.
    package static func exported(_ file: ItemFile) -> PageMedia? {
        guard let exported = file.exported else { return nil }
        let name = exported.path ?? file.name
        let kind = kinds[end(of: name)]?.kind ?? .file
        return PageMedia(path: exported.path, kind: kind, state: exported.state)
    }
}
