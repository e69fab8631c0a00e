import Valise
import ValiseMediaRules

/// One file of `media plan`, for JSON and for a user.
struct MediaPlanEntry: Encodable {
    let path: String
    let kind: MediaKind
    let format: MediaFormat?
    let size: Int64
    /// In seconds.
    let duration: Double?
    let route: TransferPlan.Route
    let reason: TransferReason
    let message: String
    let receivedUnasked: Bool?
    let possibleByLink: Bool
    let chunks: [TransferChunks.Run]?
    let encryptedSize: Int64?
    /// Why the length is not known.
    let note: String?

    /// The same chunks as text.
    private let chunkText: String?

    private enum CodingKeys: CodingKey {
        case path, kind, format, size, duration, route, reason, message, receivedUnasked, possibleByLink
        case chunks, encryptedSize, note
    }

    init(path: String, _ file: MediaFile, _ plan: TransferPlan) {
        self.path = path
        kind = plan.kind
        format = file.format
        size = file.size
        duration = file.duration
        route = plan.route
        reason = plan.reason
        message = plan.reason.sentence
        receivedUnasked = plan.isReceivedUnasked
        possibleByLink = plan.isPossibleByLink
        chunks = plan.chunks?.runs
        encryptedSize = plan.chunks?.encryptedSize
        note = Self.note(file, plan)
        chunkText = plan.chunks?.description
    }

    private static func note(_ file: MediaFile, _ plan: TransferPlan) -> String? {
        if let defect = file.defect { return defect.message }
        let isOpen = plan.kind == .voice && file.duration == nil && plan.route != .local
        return isOpen ? "its length is not known; the service takes \(MediaLimits.voiceSeconds) s" : nil
    }

    /// Some lines, the first at the margin.
    var text: String {
        var what = [kind.rawValue, "\(size) bytes"]
        if let format { what.insert(format.rawValue, at: 1) }
        if let duration { what.append(Seconds.text(duration)) }
        var lines = ["\(path.withoutControls): \(what.joined(separator: ", "))", "  \(way): \(message)"]
        if let chunkText, let encryptedSize {
            lines.append("  chunks: \(chunkText), \(encryptedSize) bytes encrypted")
        }
        if let note { lines.append("  note: \(note)") }
        return lines.joined(separator: "\n")
    }

    private var way: String {
        let name = route == .xftp ? "XFTP" : route.rawValue
        return switch receivedUnasked {
        case true?: "\(name), received unasked"
        case false?: "\(name), the recipient is asked"
        case nil: name
        }
    }
}
