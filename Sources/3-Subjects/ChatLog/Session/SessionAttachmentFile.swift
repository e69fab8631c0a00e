import SystemPackage
import ValiseMediaRules
import ValiseSessionStore

/// Attachments as files of items.
enum SessionAttachmentFile {
    /// How the app shows it.
    static func kind(of attachment: SessionAttachment) -> MediaKind {
        if attachment.role == .voice { return .voice }
        let type = mediaType(of: attachment)
        // It may contain a script.
        if type == "image/svg+xml" { return .file }
        if type.hasPrefix("image/") { return .image }
        return type.hasPrefix("video/") ? .video : .file
    }

    /// - Parameter place: of the attachment among all of the message.
    static func file(_ attachment: SessionAttachment, _ place: Int, of message: SessionMessage) -> ItemFile {
        let (status, isEncrypted): (String?, Bool) =
            switch attachment.place {
            case .file(_, let form): (nil, form == .desktopEncrypted)
            case .absent(let state): (state, false)
            case .unsafe: ("path outside of the folder of attachments", false)
            }
        return ItemFile(
            row: SessionLogKey.number(ofFile: place, of: message), name: name(of: attachment),
            path: attachment.file?.string, size: attachment.size, status: status, isEncrypted: isEncrypted,
            exported: nil)
    }

    /// Programs go by the end of a name, which what was recorded or pasted has none of.
    private static func name(of attachment: SessionAttachment) -> String {
        if let name = attachment.fileName { return name }
        let word =
            switch kind(of: attachment) {
            case .image: "image"
            case .video: "video"
            case .voice: "voice"
            case .file: "file"
            }
        return ends[mediaType(of: attachment)].map { "\(word).\($0)" } ?? word
    }

    private static func mediaType(of attachment: SessionAttachment) -> String {
        let type = attachment.contentType ?? ""
        return type.prefix { $0 != ";" && $0 != " " }.lowercased()
    }

    private static let ends = [
        "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp", "image/bmp": "bmp",
        "image/avif": "avif", "image/heic": "heic", "video/mp4": "mp4", "video/webm": "webm",
        "video/quicktime": "mov", "audio/mp4": "m4a", "audio/x-m4a": "m4a", "audio/mpeg": "mp3",
        "audio/ogg": "ogg", "audio/opus": "opus", "audio/aac": "aac", "audio/wav": "wav",
        "audio/x-wav": "wav", "application/pdf": "pdf", "text/plain": "txt", "application/zip": "zip",
    ]
}
