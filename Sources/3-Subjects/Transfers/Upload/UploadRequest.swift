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

    /// What a person calls the source.
    var label: String {
        switch source {
        case .file(let file): file.path
        case .content: name
        }
    }

    /// Whether it goes on with what an earlier one began, or takes its place.
    ///
    /// A file may be sent in several ways at once; a content has one upload, however it is sent.
    func continues(_ former: UploadRequest) -> Bool {
        switch (source, former.source) {
        case (.file(let file), .file(let formerFile)):
            file.path == formerFile.path && hasSameTerms(as: former)
        case (.content(let content), .content(let formerContent)): content.id == formerContent.id
        case (.file, .content), (.content, .file): false
        }
    }

    /// Why what an earlier one sent is of no use; nil where it is.
    func staleness(
        of former: UploadRequest, isComplete: Bool, _ settings: TransferSettings
    ) -> RestartReason? {
        guard source == former.source, hasSameTerms(as: former) else { return .sourceChanged }
        // Who has a content's links knows their age, and asks for others by another id.
        if isComplete, source.contentID != nil { return nil }
        return settings.now() - former.created > settings.uploadLifetime ? .tooOld : nil
    }

    private func hasSameTerms(as former: UploadRequest) -> Bool {
        name == former.name && recipients == former.recipients && redirect == former.redirect
            && data == former.data
    }
}
