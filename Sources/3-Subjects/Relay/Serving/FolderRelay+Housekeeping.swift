import Logging
import ValiseFiles

/// What has to be done now and then.
extension FolderRelay {
    /// How often counters are looked after, in seconds.
    private static let interval = 60

    /// Looks after the counters, the metrics and the store's log now and then, until its task is cancelled. What is under way
    /// then is done first.
    package func keepHouse() async {
        let pause = Duration.seconds(min(settings.prometheusInterval ?? Self.interval, Self.interval))
        while !Task.isCancelled {
            do {
                try await Task.sleep(for: pause)
            } catch {
                // Only cancellation ends a pause early.
                return
            }
            await lookAfterStore()
        }
    }

    private func lookAfterStore() async {
        do {
            try await Self.blocking { [self] in
                if let line = try store.endDay(), settings.logsStatistics { try appendDay(line) }
                if settings.prometheusInterval != nil { try writeMetrics() }
                try store.compactWhereWorthwhile()
            }
        } catch {
            log.error(
                "maintenance of the counters or the store log failed", metadata: ["error": .failure(error)])
        }
    }

    private func appendDay(_ line: String) throws {
        var file = try folder.fileSystem.openOrCreate(folder.path(of: .dailyStatistics))
        try file.seek(to: try file.size())
        try file.write(Array((line + "\n").utf8))
        try file.synchronize()
        try file.close()
    }

    private func writeMetrics() throws {
        let text = try store.statistics.prometheusText(now: store.rules.clock() * 1000, version: version)
        try folder.fileSystem.replace(folder.path(of: .metrics), with: Array(text.utf8))
    }
}
