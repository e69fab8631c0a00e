/// What a client asks of a relay (XFTP fact sheet, §5).
package enum XFTPCommand: Hashable, Sendable {
    /// `FNEW`: registers a chunk. Signed by the new sender key, without an entity.
    case create(NewChunk)
    /// `FADD`: one more recipient for each key. By the sender.
    case addRecipients([PublicKey])
    /// `FPUT`: the chunk follows the block. By the sender.
    case upload
    /// `FDEL`: the chunk with all its names. By the sender.
    case delete
    /// `FGET`: the chunk, encrypted for this ephemeral X25519 key. By a recipient.
    case download(PublicKey)
    /// `FACK`: forgets this recipient. By a recipient.
    case acknowledge
    /// `PING`: unsigned, without an entity.
    case ping
}

/// A chunk that is to be registered.
package struct NewChunk: Hashable, Sendable {
    package var senderKey: PublicKey
    /// In bytes. Relays take 65,536, 262,144, 1,048,576 and 4,194,304.
    package var size: UInt32
    /// SHA-256 of the chunk; a relay takes any length up to 255 bytes.
    package var digest: [UInt8]
    /// 1 to 255.
    package var recipientKeys: [PublicKey]
    /// What a relay may ask for before it takes files. Never printed.
    package var password: RelayPassword?

    package init(
        senderKey: PublicKey, size: UInt32, digest: [UInt8], recipientKeys: [PublicKey],
        password: RelayPassword? = nil
    ) {
        self.senderKey = senderKey
        self.size = size
        self.digest = digest
        self.recipientKeys = recipientKeys
        self.password = password
    }
}

/// The password of a relay: printable characters without whitespace and none of `@ : /`.
package struct RelayPassword: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// UTF-8, at most 255 bytes where it is to be sent. Those of a foreign client may be any: compared byte by byte,
    /// where texts of other bytes could be the same.
    let bytes: [UInt8]

    /// The text as it was typed.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package init(_ text: String) { bytes = Array(text.utf8) }

    /// What a client sent.
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// What may be printed of it.
    package var description: String { "<redacted>" }
    package var debugDescription: String { description }
}
