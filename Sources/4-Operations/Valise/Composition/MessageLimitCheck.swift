import ValiseComposition
import ValiseMedia
import ValiseMediaRules

/// A limit of the service, and how close the message is to it.
package struct MessageLimitCheck: Encodable, Sendable, Equatable {
    /// What is limited.
    package enum Kind: String, Encodable, Sendable {
        case messageSize, previewSize, pictureSize, fileSize, voiceDuration, mentions
    }

    package let kind: Kind
    /// The file that is meant; nil for the message.
    package let name: String?
    package let value: Int64
    package let limit: Int64
    /// `bytes`, `characters`, `seconds` or `members`.
    package let unit: String
    /// A limit above which a message goes another way, or is asked for, is not broken.
    package let isBroken: Bool

    private init(
        _ kind: Kind, _ value: Int64, of limit: Int64, _ unit: String, name: String? = nil,
        isHard: Bool = true
    ) {
        (self.kind, self.value, self.limit, self.unit, self.name) = (kind, value, limit, unit, name)
        isBroken = isHard && value > limit
    }

    static func preview(_ preview: String, name: String) -> Self {
        Self(
            .previewSize, Int64(preview.utf8.count), of: Int64(MessageLimits.previewCharacters), "characters",
            name: name)
    }

    /// A larger one goes by XFTP.
    static func picture(_ size: Int64, name: String) -> Self {
        Self(.pictureSize, size, of: MediaLimits.inlineImage, "bytes", name: name, isHard: false)
    }

    static func file(_ file: MediaFile) -> Self {
        Self(.fileSize, file.size, of: MediaLimits.xftpInChat, "bytes", name: file.name)
    }

    static func voice(seconds: Double) -> Self {
        Self(.voiceDuration, Int64(seconds), of: Int64(MediaLimits.voiceSeconds), "seconds")
    }

    static func mentions(_ count: Int) -> Self {
        Self(.mentions, Int64(count), of: Int64(MessageLimits.mentions), "members")
    }

    /// What a message has on the wire; where it is compressed, of its frame.
    static func message(_ size: WireSize, compresses: Bool) -> Self {
        let plain = Self(.messageSize, Int64(size.json), of: Int64(MessageLimits.wireBytes), "bytes")
        guard compresses else { return plain }
        return Self(
            .messageSize, Int64(min(size.json, size.compressed)),
            of: Int64(MessageLimits.compressedWireBytes),
            "bytes")
    }
}
