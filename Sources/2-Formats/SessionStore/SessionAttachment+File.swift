extension SessionAttachment {
    /// A file of which somebody kept only where it is.
    ///
    /// - Parameters:
    ///   - path: as ``file`` had it; one that leaves the folder of attachments is refused when it is opened.
    ///   - form: how its content is stored.
    ///   - fileName: as the sender's file was called.
    ///   - size: of the content, in bytes; nil where it is not known.
    package init(file path: String, _ form: Form, fileName: String? = nil, size: Int64? = nil) {
        self.init(
            fileName: fileName, contentType: nil, size: size, width: nil, height: nil, duration: nil,
            caption: nil, role: .attachment,
            place: AttachmentPath.relative(path).map { .file($0, form) } ?? .unsafe(path))
    }
}
