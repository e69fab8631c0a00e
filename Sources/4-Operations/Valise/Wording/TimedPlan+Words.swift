extension TimedPlan {
    /// Such as `would take about 5 s at 200.0 MB/s`; nil where there is nothing to do.
    package var timeText: String? {
        guard bytesToProcess > 0 else { return nil }
        let duration = estimatedDuration()
        let text = "would take \(ShortDuration.estimate(duration))"
        return duration < .seconds(1) ? text : "\(text) at \(ByteCount.text(Int64(usualRate)))/s"
    }
}

extension String {
    /// The text of a plan, with a last line for how long a run would take.
    ///
    /// - Parameter isPlan: false where the same type says what was done: then nothing is added.
    package func timed(by plan: any TimedPlan, if isPlan: Bool = true) -> String {
        guard isPlan, let time = plan.timeText else { return self }
        return "\(self)\n\(time)"
    }
}
