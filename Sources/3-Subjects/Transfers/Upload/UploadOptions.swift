package import SystemPackage
package import ValiseXFTPWire

/// When the description of a file is itself sent as a file, so that its link is short.
public enum RedirectChoice: String, Sendable, Codable, CaseIterable {
    /// Where the link would have more than 1,002 characters, which are the most in a code of the official app.
    case whenLong
    case always
    case never
}

/// How one file is sent.
package struct UploadOptions: Sendable {
    /// Where its chunks go, in turn. At least one.
    package var relays: [RelayAccess]
    /// How many may receive it, each by a description of his own: 1 to 10,000.
    package var recipients = 1
    /// The name that travels with it; nil for the source's.
    package var name: String?
    /// JSON that the link carries for apps.
    package var data: String?
    package var redirect = RedirectChoice.whenLong
    /// A new folder for the descriptions, as the official command makes it. The journal goes when they are durable.
    /// Without it, the journal stays until ``FileTransfers/forgetUpload(_:)``.
    package var descriptions: FilePath?
    /// Folders that an earlier run may have written them into when it was killed. One that has them is kept, and
    /// ``descriptions`` is not made.
    package var previousDescriptions: [FilePath] = []

    package init(relays: [RelayAccess]) {
        self.relays = relays
    }
}
