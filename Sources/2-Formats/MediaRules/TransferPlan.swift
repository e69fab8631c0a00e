import ValiseEncoding
import ValiseFailures

/// How a file would travel: what the service's rules say of its kind, size and length.
public struct TransferPlan: Sendable, Equatable {
    /// The way of a file.
    public enum Route: String, Sendable, Codable, CaseIterable {
        /// Inside of the message.
        case inline
        /// As encrypted chunks on relays.
        case xftp
        /// Nowhere: it stays on the device.
        case local
        /// Not in a chat.
        case refused
    }

    /// As which it is sent.
    public let kind: MediaKind
    /// In bytes.
    package let size: Int64
    /// The way that it takes.
    public let route: Route
    /// The rule that decided.
    package let reason: TransferReason
    /// Whether the recipient's app receives it without asking; nil where nobody receives it.
    public let isReceivedUnasked: Bool?
    /// The chunks on relays: of a file that goes by XFTP, in a chat or only by link.
    package let chunks: TransferChunks?

    /// Whether a file that is refused in a chat can be sent by link.
    public var isPossibleByLink: Bool { reason == .aboveChatLimit }

    /// - Parameters:
    ///   - kind: what it is sent as.
    ///   - size: in bytes.
    ///   - fileName: travels with the file, so it counts in chunks.
    ///   - duration: of a voice message, in seconds; nil where it is unknown, which refuses nothing.
    ///   - transport: the way that is chosen.
    /// - Throws: ``MediaRulesError``: `invalid` for a negative size, or a name that is too long to travel.
    package init(
        _ kind: MediaKind, size: Int64, fileName: String, duration: Double? = nil,
        by transport: TransferProtocol = .xftp
    ) throws(MediaRulesError) {
        guard size >= 0 else {
            throw MediaRulesError(
                .invalid, "invalid file size: \(Count.text(size, "byte"))", subject: fileName)
        }
        self.kind = kind
        self.size = size
        reason = Self.reason(kind, size, duration, transport)
        route = reason.route
        isReceivedUnasked =
            route == .inline || route == .xftp ? MediaLimits.isReceivedUnasked(kind, size: size) : nil
        let takesChunks = route == .xftp || reason == .aboveChatLimit
        chunks = takesChunks ? try TransferChunks(fileSize: size, fileName: fileName) : nil
    }

    private static func reason(
        _ kind: MediaKind, _ size: Int64, _ duration: Double?, _ transport: TransferProtocol
    ) -> TransferReason {
        if transport == .local { return .staysLocal }
        if kind == .voice, let duration, !MediaLimits.isVoiceShortEnough(duration) { return .voiceTooLong }
        if transport == .smp {
            return size <= MediaLimits.inlineMessageFile ? .fitsMessages : .aboveMessageLimit
        }
        if kind == .image, size <= MediaLimits.inlineImage { return .inlineImage }
        if size <= MediaLimits.xftpInChat { return .fitsChat }
        return size <= MediaLimits.xftp ? .aboveChatLimit : .aboveServiceLimit
    }
}
