import Valise
import ValiseEncoding

/// How far the work is, on the terminal: one line, rewritten as the work proceeds, or lines one below the other.
struct ProgressLine {
    enum Style {
        /// Nothing is shown.
        case none
        /// A line is drawn over.
        case redrawn
        /// For screen readers, and terminals that cannot move back: a line for each step and each tenth of it.
        case lines
    }

    private let style: Style
    private var lastShown: ContinuousClock.Instant?
    private var lastStep: (activity: String, tenth: Int)?
    private let width: Int

    private static let interval: Duration = .milliseconds(100)

    init(_ style: Style) {
        self.style = style
        width = style == .redrawn ? StandardStreams.width(of: .standardError) ?? 80 : .max
    }

    mutating func show(_ progress: OperationProgress) {
        switch style {
        case .none: break
        case .redrawn:
            let now = ContinuousClock.now
            if let lastShown, now - lastShown < Self.interval { return }
            lastShown = now
            StandardStreams.writeToError("\r\u{1b}[K" + text(progress))
        case .lines:
            let step = (progress.activity, (progress.percent ?? 0) / 10)
            if let lastStep, lastStep == step { return }
            lastStep = step
            StandardStreams.printError(text(progress))
        }
    }

    private func text(_ progress: OperationProgress) -> String {
        var text = progress.activity.withoutControls
        if let percent = progress.percent, let total = progress.total {
            let amount =
                switch progress.unit {
                case .bytes: "\(ByteCount.text(progress.completed)) of \(ByteCount.text(total))"
                case .items: "\(progress.completed) of \(total)"
                }
            text = "\(percent)%  \(amount)  \(text)"
        }
        if let pace = progress.paceText { text += "  \(pace)" }
        return DisplayWidth.of(text) < width ? text : DisplayWidth.cut(text, to: width - 1)
    }

    func clear() {
        if style == .redrawn, lastShown != nil { StandardStreams.writeToError("\r\u{1b}[K") }
    }
}

extension Count {
    /// The line below a truncated list.
    /// - Parameters:
    ///   - number: how many more there are.
    ///   - listed: how many of all are in JSON.
    ///   - all: how many there are.
    static func more(_ number: Int, listed: Int, of all: Int) -> String {
        "and \(number) more; --json lists \(listed < all ? "the first \(listed)" : "them")"
    }
}
