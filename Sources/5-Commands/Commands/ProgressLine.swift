import CValisePlatform
import Valise

/// One line on the terminal, rewritten as the work proceeds.
struct ProgressLine {
    private let isShown: Bool
    private var lastShown: ContinuousClock.Instant?
    private let width: Int

    private static let interval: Duration = .milliseconds(100)

    init(isShown: Bool) {
        self.isShown = isShown
        width = isShown ? Int(valise_terminal_width(2)) : 80
    }

    mutating func show(_ progress: OperationProgress) {
        guard isShown else { return }
        let now = ContinuousClock.now
        if let lastShown, now - lastShown < Self.interval { return }
        lastShown = now
        StandardStreams.writeToError("\r\u{1b}[K" + text(progress))
    }

    private func text(_ progress: OperationProgress) -> String {
        var text = progress.activity.withoutControls
        if let percent = progress.percent, let total = progress.total {
            let amount =
                switch progress.unit {
                case .bytes: "\(ByteCount.text(progress.completed)) of \(ByteCount.text(total))"
                case .items: "\(progress.completed) of \(total)"
                }
            text = "\(percent) %  \(amount)  \(text)"
        }
        if let pace = progress.paceText { text += "  \(pace)" }
        return String(text.prefix(max(20, width - 1)))
    }

    func clear() {
        if isShown, lastShown != nil { StandardStreams.writeToError("\r\u{1b}[K") }
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
