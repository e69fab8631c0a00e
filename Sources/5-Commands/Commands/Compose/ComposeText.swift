import Valise
import ValiseEncoding

/// What would be sent, for a user.
struct ComposeText {
    private let report: ComposedReport

    init(_ report: ComposedReport) { self.report = report }

    var text: String {
        var lines = ["\(report.isSendable ? "would be sent to" : "cannot be sent to") \(chat):"]
        lines += report.messages.enumerated().flatMap { Self.message($1, number: $0 + 1) }
        lines += report.limits.filter { $0.kind != .messageSize && $0.value > 0 }.map {
            "  \(Self.limit($0))"
        }
        if let waveform = report.waveform, !waveform.isEmpty {
            lines.append("  waveform: \(Self.bars(waveform))")
        }
        lines += report.refusals.map { "not possible: \($0.withoutControls)" }
        if !report.commands.isEmpty { lines += ["", "commands:"] + report.commands.map(\.withoutControls) }
        return lines.joined(separator: "\n")
    }

    private var chat: String { "\(report.name.withoutControls) (\(report.chat))" }

    /// Some lines, the first one with its number.
    private static func message(_ message: ComposedReport.Message, number: Int) -> [String] {
        var what = [message.content ?? message.kind]
        if message.kind == "update" { what.insert("edit", at: 0) }
        if let size = message.size { what.append("\(amount(size)) on the wire") }
        let lines = message.text.split(separator: "\n", omittingEmptySubsequences: false)
        let shown = lines.prefix(mostLines).map { "     \(String($0.prefix(mostColumns)).withoutControls)" }
        let isWhole = lines.count <= mostLines && lines.allSatisfy { $0.count <= mostColumns }
        return ["  \(number). \(what.joined(separator: ", "))"] + (message.text.isEmpty ? [] : shown)
            + (isWhole ? [] : ["     …"])
    }

    private static let mostLines = 5
    private static let mostColumns = 100

    private static func limit(_ limit: MessageLimitCheck) -> String {
        let name = limit.name.map { "\($0.withoutControls): " } ?? ""
        let above = limit.isBroken ? ", too much" : limit.value > limit.limit ? ", goes by XFTP" : ""
        return "\(name)\(limit.kind.words) \(amount(limit))\(above)"
    }

    private static func amount(_ limit: MessageLimitCheck) -> String {
        if limit.kind == .fileSize {
            let sizes = Count.bytes(limit.value, and: limit.limit)
            return "\(sizes.0) of \(sizes.1)"
        }
        return "\(limit.value) of \(Count.text(limit.limit, String(limit.unit.dropLast())))"
    }

    /// The loudest part has the highest bar.
    private static func bars(_ waveform: [Int]) -> String {
        let marks = Array("▁▂▃▄▅▆▇█")
        let loudest = max(waveform.max() ?? 1, 1)
        return String(waveform.map { marks[$0 * (marks.count - 1) / loudest] })
    }
}

extension MessageLimitCheck.Kind {
    fileprivate var words: String {
        switch self {
        case .messageSize: "message"
        case .previewSize: "preview"
        case .pictureSize: "picture"
        case .fileSize: "file"
        case .voiceDuration: "voice message"
        case .mentions: "mentions"
        }
    }
}
