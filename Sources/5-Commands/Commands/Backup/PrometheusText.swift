import Valise
import ValiseEncoding

/// The state of backups as metrics, in the text format of Prometheus.
struct PrometheusText {
    private let status: BackupStatus

    init(_ status: BackupStatus) { self.status = status }

    private typealias Sample = (labels: String, value: Int64?)

    var text: String {
        let accounts = status.accounts
        func of(_ value: (BackupStatus.Account) -> Int64?) -> [Sample] {
            accounts.map { (labels($0), value($0)) }
        }
        func whole(_ value: Int64?) -> [Sample] { [(repository, value)] }
        let metrics = [
            metric(
                "snapshot_timestamp_seconds", "Start of the newest complete snapshot.", of { $0.completeTime }
            ),
            metric("late", "1 if no complete snapshot is young enough.", of { $0.isLate ? 1 : 0 }),
            metric("drill_timestamp_seconds", "Time of the last drill.", of { $0.drill?.time }),
            metric(
                "drill_success", "1 if the last drill passed.",
                of { $0.drill.map { $0.hasSucceeded ? 1 : 0 } }),
            metric("failure_timestamp_seconds", "Time of a run that failed last.", of { $0.failure?.time }),
            metric("snapshots", "Number of snapshots.", whole(status.snapshotCount.map(Int64.init))),
            metric("missing_snapshots", "Snapshots that vanished.", whole(Int64(status.vanished.count))),
            metric(
                "verification_timestamp_seconds", "Time of the last verification.",
                whole(status.verification?.time)),
            metric(
                "verification_success", "1 if the last verification found no damage.",
                whole(status.verification.map { $0.hasSucceeded ? 1 : 0 })),
            metric(
                "complete_reading_timestamp_seconds", "Time at which all data had been read.",
                whole(status.completeReading)),
        ]
        return metrics.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func metric(_ name: String, _ help: String, _ samples: [Sample]) -> String {
        let lines = samples.compactMap { sample in
            sample.value.map { "valise_backup_\(name){\(sample.labels)} \($0)" }
        }
        guard !lines.isEmpty else { return "" }
        return (["# HELP valise_backup_\(name) \(help)", "# TYPE valise_backup_\(name) gauge"] + lines)
            .joined(separator: "\n")
    }

    private var repository: String { "repository=\"\(Self.escaped(status.place))\"" }

    private func labels(_ account: BackupStatus.Account) -> String {
        "\(repository),host=\"\(Self.escaped(account.hostname))\",account=\"\(Self.escaped(account.name))\""
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
