/// The rule that decides how a file travels.
package enum TransferReason: String, Sendable, Codable, CaseIterable {
    case inlineImage
    case fitsChat
    case aboveChatLimit
    case aboveServiceLimit
    case voiceTooLong
    case fitsMessages
    case aboveMessageLimit
    case staysLocal

    var route: TransferPlan.Route {
        switch self {
        case .inlineImage, .fitsMessages: .inline
        case .fitsChat: .xftp
        case .staysLocal: .local
        case .aboveChatLimit, .aboveServiceLimit, .voiceTooLong, .aboveMessageLimit: .refused
        }
    }

    /// A sentence for a user, in lower case without a full stop.
    package var sentence: String {
        switch self {
        case .inlineImage: "an image of up to \(MediaLimits.inlineImage) bytes travels inside of the message"
        case .fitsChat: "a file of up to 1 GiB (\(MediaLimits.xftpInChat) bytes) travels by XFTP"
        case .aboveChatLimit:
            "larger than the 1 GiB (\(MediaLimits.xftpInChat) bytes) of a chat; up to 5 GiB it can be sent by link"
        case .aboveServiceLimit: "larger than the 5 GiB (\(MediaLimits.xftp) bytes) that XFTP takes at most"
        case .voiceTooLong:
            "a voice message lasts at most \(MediaLimits.voiceSeconds) s; as a file it can be longer"
        case .fitsMessages:
            "a file of up to \(MediaLimits.inlineMessageFile) bytes travels inside of messages"
        case .aboveMessageLimit:
            "larger than the \(MediaLimits.inlineMessageFile) bytes that travel inside of messages; XFTP takes more"
        case .staysLocal: "a file of the private notes stays on this device, whatever its size"
        }
    }
}
