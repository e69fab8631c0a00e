/// What was asked for when an upload began.
struct UploadRequest: Sendable {
    /// Seconds since 1970.
    var created: Int64
    var source: UploadSource
    /// The name that travels with the file.
    var name: String
    var recipients: Int
    var redirect: RedirectChoice
    /// JSON for the link.
    var data: String?

    /// What a user calls the source.
    var label: String {
        switch source {
        case .file(let file): file.path
        case .content: name
        }
    }

    /// Whether it resumes what an earlier one began, or takes its place.
    ///
    /// A file may be sent in several ways at once; a content has one upload, however it is sent.
    func continues(_ previous: UploadRequest) -> Bool {
        switch (source, previous.source) {
        case (.file(let file), .file(let previousFile)):
            file.path == previousFile.path && hasSameTerms(as: previous)
        case (.content(let content), .content(let previousContent)): content.id == previousContent.id
        case (.file, .content), (.content, .file): false
        }
    }

    /// Why what an earlier one sent is of no use; nil where it is.
    func staleness(
        of previous: UploadRequest, isComplete: Bool, _ settings: TransferSettings
    ) -> RestartReason? {
        guard source == previous.source, hasSameTerms(as: previous) else { return .sourceChanged }
        // Who has a content's links knows their age, and asks for others by another id.
        if isComplete, source.contentID != nil { return nil }
        return settings.now() - previous.created > settings.uploadLifetime ? .tooOld : nil
    }

    private func hasSameTerms(as previous: UploadRequest) -> Bool {
        name == previous.name && recipients == previous.recipients && redirect == previous.redirect
            && data == previous.data
    }
}
