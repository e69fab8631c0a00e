import ValiseEncoding

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
        case .inlineImage:
            "images of up to \(Count.bytes(MediaLimits.inlineImage)) are sent inside the message"
        case .fitsChat: "files of up to \(Count.bytes(MediaLimits.xftpInChat)) are sent over XFTP"
        case .aboveChatLimit:
            "larger than the chat limit of \(Count.bytes(MediaLimits.xftpInChat)); "
                + "up to \(Count.bytes(MediaLimits.xftp)) can be sent by link"
        case .aboveServiceLimit: "larger than the XFTP limit of \(Count.bytes(MediaLimits.xftp))"
        case .voiceTooLong:
            "a voice message lasts at most \(MediaLimits.voiceSeconds) s; longer recordings can be sent as files"
        case .fitsMessages:
            "files of up to \(Count.bytes(MediaLimits.inlineMessageFile)) are sent inside messages"
        case .aboveMessageLimit:
            "larger than the limit of \(Count.bytes(MediaLimits.inlineMessageFile)) inside messages; XFTP allows more"
        case .staysLocal: "files in private notes stay on this device, whatever their size"
        }
    }
}
