/// The size rules of the service, in one place for everything that handles media. Sizes are bytes of content.
package enum MediaLimits {
    /// The largest image that travels inside the message: 255 KiB.
    package static let inlineImage: Int64 = 261_120
    /// The largest file that travels inside messages by the older protocol.
    package static let inlineMessageFile: Int64 = 8_000_000
    /// The largest file by XFTP in a chat: 1 GiB. By link it may be larger.
    package static let xftpInChat: Int64 = 1_073_741_824
    /// The largest file by XFTP at all: 5 GiB.
    package static let xftp: Int64 = 5_368_709_120
    /// The longest voice message in seconds.
    package static let voiceSeconds = 300

    /// The largest file of a kind that the apps receive without asking; nil where they always ask.
    package static func automaticReception(of kind: MediaKind) -> Int64? {
        switch kind {
        case .image, .voice: 522_240
        case .video: 1_047_552
        case .file: nil
        }
    }

    /// Whether the apps receive a file of this kind and size without asking.
    package static func isReceivedUnasked(_ kind: MediaKind, size: Int64) -> Bool {
        automaticReception(of: kind).map { size <= $0 } ?? false
    }

    /// Whether a voice message may be this long. Messages carry whole seconds, so fractions do not count.
    package static func isVoiceShortEnough(_ seconds: Double) -> Bool {
        seconds < Double(voiceSeconds + 1)
    }
}
