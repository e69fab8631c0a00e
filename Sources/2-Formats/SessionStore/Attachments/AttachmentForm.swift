/// How an attachment is encrypted (fact sheet of Session, §3 and §4).
package enum AttachmentForm: Sendable, Hashable, CaseIterable {
    /// That of 2017: AES-256-CBC and HMAC-SHA256, padded, with a digest of the whole in the message. A key of 64 bytes.
    case legacy
    /// That of libsession: messages of a secretstream behind a byte `S`, padded at the front. A key of 32 bytes.
    case stream
    /// What Desktop keeps on its disk: one message of a secretstream. The key of the profile has 32 bytes.
    case local

    /// Of a file on the network: a message that has a digest names the old form.
    /// - Parameter digest: of the message; nil or empty where it has none.
    package init(uploadedWith digest: [UInt8]?) {
        self = digest?.isEmpty == false ? .legacy : .stream
    }

    /// In bytes.
    package var keyByteCount: Int { self == .legacy ? 64 : 32 }

    /// The shortest file, in bytes: that of no content.
    var smallestFile: Int64 {
        switch self {
        case .legacy: LegacyAttachment.overhead + 16
        case .stream: StreamAttachment.headByteCount + StreamAttachment.overhead + 1
        case .local: LocalAttachment.overhead
        }
    }
}
