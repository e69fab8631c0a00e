import SystemPackage

/// Attachments as documents of Desktop describe them.
enum DesktopAttachments {
    static func attachment(_ part: DesktopFields, _ role: SessionAttachment.Role) -> SessionAttachment {
        SessionAttachment(
            fileName: part.filledText("fileName"), contentType: part.filledText("contentType"),
            size: part.integer("size"), width: part.integer("width"), height: part.integer("height"),
            duration: part.decimal("duration"), caption: part.filledText("caption"), role: role,
            place: place(of: part))
    }

    private static func place(of part: DesktopFields) -> SessionAttachment.Place {
        guard let stored = part.filledText("path") else {
            if part.has("error") { return .absent("error") }
            return .absent(part.flag("pending") == true ? "pending" : "not downloaded")
        }
        guard let path = AttachmentPath.relative(stored) else { return .unsafe(stored) }
        return .file(path, .desktopEncrypted)
    }
}
