package import ValiseConcurrency
import ValiseEncoding

extension OperationProgress {
    /// As it is kept and shown: file names in it may have anything.
    package var withoutControls: OperationProgress {
        var progress = self
        progress.activity = activity.withoutControls
        return progress
    }

    /// Such as `42%`; nil where the end is not known.
    package var percentText: String? { percent.map { "\($0)%" } }

    /// Such as `12.3 MB/s, 2 min left`; nil where that is not known.
    package var paceText: String? {
        guard unit == .bytes, let rate, let left = secondsLeft else { return nil }
        let speed = "\(Count.bytes(Int64(rate)))/s"
        return left < 360_000 ? "\(speed), \(ShortDuration.text(Int64(left.rounded(.up)))) left" : speed
    }

    /// In one line: how much of it is done, the activity, and the pace.
    package var lineText: String {
        var text = activity
        if let percent, let total {
            let amount =
                switch unit {
                case .bytes: "\(Count.bytes(completed)) of \(Count.bytes(total))"
                case .items: "\(completed) of \(total)"
                }
            text = "\(percent)%  \(amount)" + (text.isEmpty ? "" : "  \(text)")
        }
        if let paceText { text += "  \(paceText)" }
        return text
    }
}

/// Durations for people.
package enum ShortDuration {
    /// Such as `47 h 12 min`, `3 min` or `20 s`.
    package static func text(_ seconds: Int64) -> String {
        switch seconds {
        case ..<60: "\(max(0, seconds)) s"
        case ..<3600: "\(seconds / 60) min"
        default: "\(seconds / 3600) h \(seconds / 60 % 60) min"
        }
    }

    /// Rounded to one unit: `less than a second`, `about 5 s`, `about 3 min`.
    package static func estimate(_ duration: Duration) -> String {
        let seconds: Double = duration / .seconds(1)
        return switch seconds {
        case ..<1: "less than a second"
        case ..<90: "about \(Int64(seconds.rounded())) s"
        case ..<5400: "about \(Int64((seconds / 60).rounded())) min"
        default: "about \(Int64((seconds / 3600).rounded())) h"
        }
    }

    /// When something is, rounded to one unit: `now`, `in 20 s`, `in 47 h`.
    package static func until(_ seconds: Int64) -> String {
        switch seconds {
        case ...0: "now"
        case ..<90: "in \(seconds) s"
        case ..<5400: "in \((seconds + 30) / 60) min"
        default: "in \((seconds + 1800) / 3600) h"
        }
    }
}
