public import SystemPackage
public import ValiseXFTPWire

/// When the description of a file is itself sent as a file, so that its link is short.
public enum RedirectChoice: String, Sendable, Codable, CaseIterable {
    /// Where the link would have more than 1,002 characters, which are the most in a code of the official app.
    case whenLong
    case always
    case never
}

/// How one file is sent.
public struct UploadOptions: Sendable {
    /// Where its chunks go, in turn. At least one.
    public var relays: [RelayAccess]
    /// How many may receive it, each by a description of his own: 1 to 10,000.
    public var recipients = 1
    /// The name that travels with it; nil for the source's.
    public var name: String?
    /// JSON that the link carries for apps.
    public var data: String?
    public var redirect = RedirectChoice.whenLong
    /// A new folder for the descriptions, as the official command makes it. The journal goes when they are durable.
    /// Without it, the journal stays until ``FileTransfers/forgetUpload(_:)``.
    public var descriptions: FilePath?
    /// Folders that an earlier run may have written them into when it was killed. One that has them is kept, and
    /// ``descriptions`` is not made.
    public var previousDescriptions: [FilePath] = []

    public init(relays: [RelayAccess]) {
        self.relays = relays
    }
}
