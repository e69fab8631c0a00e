package import ValiseConcurrency

extension OperationProgress {
    /// What is done and how fast, such as `sending report.pdf  12.3 MB/s, 2 min left`.
    package var words: String {
        guard let rate, rate > 0 else { return activity }
        let pace = "\(activity)  \(ByteCount.text(Int64(rate)))/s"
        guard let left = secondsLeft, left < 360_000 else { return pace }
        return "\(pace), \(ShortDuration.text(Int64(left.rounded(.up)))) left"
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
}
