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
    private static let kinds: [String: Kind] = [
        "jpg": .picture, "jpeg": .picture, "png": .picture, "gif": .picture, "webp": .picture,
        "bmp": .picture,
        "avif": .picture, "mp4": .video, "webm": .video, "mov": .video, "m4v": .video, "m4a": .voice,
        "mp3": .voice, "ogg": .voice, "opus": .voice, "aac": .voice, "wav": .voice,
    ]

    /// What an export has of a file, as ``ItemFile/exported`` says; nil where nothing was looked for.
    package static func exported(_ file: ItemFile) -> PageMedia? {
        guard let exported = file.exported else { return nil }
        let name = exported.path ?? file.name
        let end = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        return PageMedia(path: exported.path, kind: kinds[end] ?? .file, state: exported.state)
    }
}
