import ArgumentParser
import Valise

/// Which snapshots are kept.
struct SnapshotRuleOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Keep the newest N snapshots; all for all.", valueName: "n"))
    var keepLast: KeepCountArgument?

    @Option(help: ArgumentHelp("Keep the newest of each of the last N hours with snapshots.", valueName: "n"))
    var keepHourly: KeepCountArgument?

    @Option(help: ArgumentHelp("Keep the newest of each of the last N days with snapshots.", valueName: "n"))
    var keepDaily: KeepCountArgument?

    @Option(help: ArgumentHelp("Keep the newest of each of the last N weeks with snapshots.", valueName: "n"))
    var keepWeekly: KeepCountArgument?

    @Option(
        help: ArgumentHelp("Keep the newest of each of the last N months with snapshots.", valueName: "n"))
    var keepMonthly: KeepCountArgument?

    @Option(help: ArgumentHelp("Keep the newest of each of the last N years with snapshots.", valueName: "n"))
    var keepYearly: KeepCountArgument?

    @Option(
        help: ArgumentHelp(
            "Keep all that are younger than this, counted from the newest: 2y5m7d3h.", valueName: "span"))
    var keepWithin: KeepSpanArgument?

    @Option(help: ArgumentHelp("Keep one of each hour within this.", valueName: "span"))
    var keepWithinHourly: KeepSpanArgument?

    @Option(help: ArgumentHelp("Keep one of each day within this.", valueName: "span"))
    var keepWithinDaily: KeepSpanArgument?

    @Option(help: ArgumentHelp("Keep one of each week within this.", valueName: "span"))
    var keepWithinWeekly: KeepSpanArgument?

    @Option(help: ArgumentHelp("Keep one of each month within this.", valueName: "span"))
    var keepWithinMonthly: KeepSpanArgument?

    @Option(help: ArgumentHelp("Keep one of each year within this.", valueName: "span"))
    var keepWithinYearly: KeepSpanArgument?

    @Option(
        help: ArgumentHelp(
            "Keep snapshots with this tag; several with commas for all of them. Can be repeated.",
            valueName: "tags"))
    var keepTag: [String] = []

    /// For the operation.
    var rules: SnapshotRules {
        var rules = SnapshotRules()
        rules.last = keepLast?.count ?? 0
        let counts: [(SnapshotRules.Period, KeepCountArgument?)] = [
            (.hourly, keepHourly), (.daily, keepDaily), (.weekly, keepWeekly), (.monthly, keepMonthly),
            (.yearly, keepYearly),
        ]
        for (period, argument) in counts { rules.counts[period] = argument?.count }
        rules.within = keepWithin?.span
        let spans: [(SnapshotRules.Period, KeepSpanArgument?)] = [
            (.hourly, keepWithinHourly), (.daily, keepWithinDaily), (.weekly, keepWithinWeekly),
            (.monthly, keepWithinMonthly), (.yearly, keepWithinYearly),
        ]
        for (period, argument) in spans { rules.periodsWithin[period] = argument?.span }
        rules.tags = keepTag.map(TagList.tags)
        return rules
    }

    /// Whether any is given.
    var isGiven: Bool { rules != SnapshotRules() }
}

/// A number from 1, or `all`.
struct KeepCountArgument: ExpressibleByArgument {
    let count: Int

    init?(argument: String) {
        if ["all", "unlimited", "-1"].contains(argument) {
            count = SnapshotRules.all
        } else {
            guard let number = Int(argument), number > 0 else { return nil }
            count = number
        }
    }
}

/// A duration of the calendar.
struct KeepSpanArgument: ExpressibleByArgument {
    let span: SnapshotRules.Span

    init?(argument: String) {
        guard let span = SnapshotRules.Span(argument) else { return nil }
        self.span = span
    }
}

/// Tags with commas between them: all of them are meant.
enum TagList {
    static func tags(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }
}
