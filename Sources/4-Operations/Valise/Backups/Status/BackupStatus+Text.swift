import ValiseEncoding

extension BackupStatus {
    /// Some lines for each account, then those of the repository.
    package var text: String {
        let count = snapshotCount.map { " (\(Count.text($0, "snapshot")))" } ?? ""
        var lines = ["repository \(place)\(count)"]
        for account in accounts { lines += self.lines(of: account) }
        if accounts.isEmpty { lines.append("no account was backed up from here") }
        lines.append("verified: \(verified)")
        if !vanished.isEmpty {
            let names = vanished.keys.sorted().map { String($0.prefix(8)) }.joined(separator: ", ")
            lines.append(
                "missing, and not removed from here: \(Count.noun(vanished.count, "snapshot")) \(names)")
        }
        lines += problems.map { "damaged: \($0)" }
        return lines.joined(separator: "\n").withoutControlsButLines
    }

    private func lines(of account: Account) -> [String] {
        var lines = [account.name, "  newest snapshot: \(newest(account))"]
        if account.isPartial, let time = account.completeTime {
            lines.append("  newest complete snapshot: \(moment(time))")
        }
        lines.append("  last drill: \(account.drill.map { event($0, good: "passed") } ?? "never")")
        if let failure = account.failure {
            lines.append("  last attempt failed: \(moment(failure.time)): \(failure.message)")
        }
        return lines
    }

    private func newest(_ account: Account) -> String {
        guard let time = account.newestTime else { return "none" }
        let name = account.newest.map { "\($0.prefix(8)), " } ?? ""
        let state = account.isPartial ? ", incomplete" : account.isLate ? ", too old" : ""
        return "\(name)\(moment(time))\(state)"
    }

    private var verified: String {
        guard let verification else { return "never" }
        let reading = completeReading.map { "; all data was read by \(moment($0))" } ?? ""
        return event(verification, good: "no damage") + reading
    }

    private func event(_ event: RepositoryMemory.Event, good: String) -> String {
        let extent = event.extent.map { ", read \($0)" } ?? ""
        return "\(moment(event.time))\(extent), \(event.hasSucceeded ? good : "problems found")"
    }

    private func moment(_ seconds: Int64) -> String {
        "\(LocalTime(seconds: seconds).text) (\(Self.age(time - seconds)))"
    }

    /// Such as `3 hours ago`.
    private static func age(_ seconds: Int64) -> String {
        for (unit, noun) in [(Int64(86_400), "day"), (3600, "hour"), (60, "minute")] where seconds >= 2 * unit
        {
            return "\(Count.text(seconds / unit, noun)) ago"
        }
        return seconds < 0 ? "in the future" : "just now"
    }
}

extension String {
    fileprivate var withoutControlsButLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).withoutControls }
            .joined(separator: "\n")
    }
}
