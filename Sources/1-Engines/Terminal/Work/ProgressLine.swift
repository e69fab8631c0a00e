import SystemPackage
package import ValiseConcurrency
import ValiseEncoding

/// How far the work is, on the terminal: one line, rewritten as the work proceeds, or lines one below the other.
package struct ProgressLine {
    package enum Style: Sendable {
        /// Nothing is shown.
        case none
        /// A line is drawn over.
        case redrawn
        /// For screen readers, and terminals that cannot move back: a line for each step and each tenth of it, or every few
        /// seconds, and none for each file.
        case lines
    }

    private let style: Style
    private let words: (OperationProgress) -> String
    private var lastShown: ContinuousClock.Instant?
    private var lastStep: (activity: String, tenth: Int)?
    private let width: Int

    private static let interval: Duration = .milliseconds(100)
    /// Lines do not follow each other faster, nor slower.
    private static let pauses: ClosedRange<Duration> = .seconds(1) ... .seconds(5)

    /// - Parameters:
    ///   - style: how it is shown.
    ///   - words: the text of a line.
    package init(_ style: Style, words: @escaping (OperationProgress) -> String) {
        self.style = style
        self.words = words
        width = style == .redrawn ? StandardStreams.width(of: .standardError) ?? 80 : .max
    }

    package mutating func show(_ progress: OperationProgress) {
        guard !Pager.isShowing else { return }
        switch style {
        case .none: break
        case .redrawn:
            let now = ContinuousClock.now
            if let lastShown, now - lastShown < Self.interval { return }
            lastShown = now
            StandardStreams.writeToError("\r\u{1b}[K" + text(progress))
        case .lines:
            var progress = progress
            progress.activity = progress.unnamed ?? progress.activity
            if shouldPrint(progress, at: ContinuousClock.now) { StandardStreams.printError(text(progress)) }
        }
    }

    /// Whether it gets a line of its own. If so, the next one has to wait.
    package mutating func shouldPrint(_ progress: OperationProgress, at now: ContinuousClock.Instant) -> Bool
    {
        let step = (progress.activity, (progress.percent ?? 0) / 10)
        if let lastShown, let lastStep {
            let pause = now - lastShown
            let isNews = lastStep != step && pause >= Self.pauses.lowerBound
            guard isNews || pause >= Self.pauses.upperBound else { return false }
        }
        lastShown = now
        lastStep = step
        return true
    }

    private func text(_ progress: OperationProgress) -> String { Self.fitted(words(progress), to: width - 1) }

    /// The fields of a line, two spaces between them, as far as they fit. Words are cut off as a whole; half of a number
    /// would be another one, so a field that begins with one is left out.
    package static func fitted(_ text: String, to width: Int) -> String {
        guard DisplayWidth.of(text) > width else { return text }
        var line = ""
        for field in text.split(separator: "  ").map(String.init) {
            let gap = line.isEmpty ? "" : "  "
            let space = width - DisplayWidth.of(line + gap)
            let shown = DisplayWidth.of(field) <= space ? field : words(of: field, in: space)
            if !shown.isEmpty { line += gap + shown }
        }
        // A single word that is too long.
        return line.isEmpty ? DisplayWidth.cut(text, to: width) : line
    }

    /// The first words of a field with an ellipsis; empty where not even one fits.
    private static func words(of field: String, in width: Int) -> String {
        guard field.first?.isLetter == true else { return "" }
        var shown = ""
        for word in field.split(separator: " ") {
            let longer = shown.isEmpty ? String(word) : "\(shown) \(word)"
            guard DisplayWidth.of(longer) + 2 <= width else { break }
            shown = longer
        }
        return shown.isEmpty ? "" : "\(shown) …"
    }

    package func clear() {
        if style == .redrawn, lastShown != nil, !Pager.isShowing {
            StandardStreams.writeToError("\r\u{1b}[K")
        }
    }
}
