package import SystemPackage
package import ValiseXFTPWire

/// When to send the description of a file as a file of its own, to make the link short.
package enum RedirectChoice: String, Sendable, Codable, CaseIterable {
    /// If the link would have more than 1,002 characters, the maximum for a QR code of the official app.
    case whenLong
    /// Always.
    case always
    /// Never.
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
