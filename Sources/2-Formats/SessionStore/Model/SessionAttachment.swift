package import SystemPackage

/// A file that belongs to a message.
package struct SessionAttachment: Sendable, Hashable {
    /// How its content is stored.
    package enum Form: Sendable, Hashable {
        /// Session Desktop: one message of libsodium's secretstream, under the key of the profile.
        case desktopEncrypted
        /// Session iOS: as it is.
        case unencrypted
    }

    /// Where its content is.
    package enum Place: Sendable, Hashable {
        /// Below the folder of the store's attachments. Whether the file is there was not looked at.
        case file(FilePath, Form)
        /// It was never received, or never sent: as its state is stored.
        case absent(String)
        /// A path that leaves the folder of attachments: nothing is read there.
        case unsafe(String)
    }

    /// What a message has it for.
    package enum Role: Sendable, Hashable {
        case attachment
        /// A smaller picture of another attachment.
        case thumbnail
        case voice
        case quoted
        case linkPreview
    }

    /// As the sender's file was called; nil for none.
    package let fileName: String?
    /// A MIME type, as the sender's app named it; nil for none.
    package let contentType: String?
    /// Of the content, in bytes; nil where it is not stored.
    package let size: Int64?
    /// In pixels.
    package let width: Int64?
    /// In pixels.
    package let height: Int64?
    /// In seconds.
    package let duration: Double?
    /// Nil for none.
    package let caption: String?
    /// What the message has it for.
    package let role: Role
    /// Where its content is.
    package let place: Place

    /// The file; nil where there is none.
    package var file: FilePath? {
        if case .file(let path, _) = place { path } else { nil }
    }
}
