import ValiseEncoding

extension TimedPlan {
    /// Such as `would take about 5 s at 200.0 MB/s`; nil where there is nothing to do.
    package var timeText: String? {
        guard bytesToProcess > 0 else { return nil }
        let duration = estimatedDuration()
        let text = "would take \(ShortDuration.estimate(duration))"
        return duration < .seconds(1) ? text : "\(text) at \(Count.bytes(Int64(usualRate)))/s"
    }
}

extension String {
    /// What a dry run says, the same for every operation: the plan, how long a run would take, and that nothing was done.
    ///
    /// - Parameters:
    ///   - plan: knows how much there is to do; nil for what takes no time.
    ///   - isDryRun: false where the same type says what was done: then nothing is added.
    package func asDryRun(of plan: (any TimedPlan)? = nil, if isDryRun: Bool = true) -> String {
        guard isDryRun else { return self }
        return [self, plan?.timeText ?? "", "dry run: nothing was changed"].filter { !$0.isEmpty }
            .joined(separator: "\n")
    }
}
