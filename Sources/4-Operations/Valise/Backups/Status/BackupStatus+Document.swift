import ValiseEncoding

extension BackupStatus {
    private enum Key: String, CodingKey {
        case accounts, completeReading, isOverdue, missingSnapshots, problems, repository, repositoryId
        case snapshotCount, time, verification
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(place, forKey: .repository)
        try container.encode(repository, forKey: .repositoryId)
        try container.encode(Self.text(time), forKey: .time)
        try container.encode(accounts.map { AccountDocument($0, now: time) }, forKey: .accounts)
        try container.encodeIfPresent(snapshotCount, forKey: .snapshotCount)
        try container.encodeIfPresent(verification.map(EventDocument.init), forKey: .verification)
        try container.encodeIfPresent(completeReading.map(Self.text), forKey: .completeReading)
        let missing = vanished.sorted { $0.key < $1.key }.map {
            Missing(id: $0.key, noticed: Self.text($0.value))
        }
        if !missing.isEmpty { try container.encode(missing, forKey: .missingSnapshots) }
        if !problems.isEmpty { try container.encode(problems, forKey: .problems) }
        try container.encode(isOverdue, forKey: .isOverdue)
    }

    private static func text(_ time: Int64) -> String { UTCTime(seconds: time).isoText }

    private struct Missing: Encodable {
        let id: String
        let noticed: String
    }

    private struct EventDocument: Encodable {
        let time: String
        let hasSucceeded: Bool
        let snapshot: String?
        let extent: String?

        init(_ event: RepositoryMemory.Event) {
            time = BackupStatus.text(event.time)
            (hasSucceeded, snapshot, extent) = (event.hasSucceeded, event.snapshot, event.extent)
        }
    }

    private struct AccountDocument: Encodable {
        struct Snapshot: Encodable {
            let id: String?
            let time: String
            let isPartial: Bool
        }

        struct Failed: Encodable {
            let time: String
            let message: String
        }

        let account: String
        let hostname: String
        let snapshot: Snapshot?
        let lastComplete: String?
        /// Of the last complete one, in seconds.
        let age: Int64?
        let drill: EventDocument?
        let lastFailure: Failed?
        let isLate: Bool

        init(_ entry: Account, now: Int64) {
            account = entry.name
            hostname = entry.hostname
            snapshot = entry.newestTime.map {
                Snapshot(id: entry.newest, time: BackupStatus.text($0), isPartial: entry.isPartial)
            }
            lastComplete = entry.completeTime.map(BackupStatus.text)
            age = entry.completeTime.map { max(0, now - $0) }
            drill = entry.drill.map(EventDocument.init)
            lastFailure = entry.failure.map { Failed(time: BackupStatus.text($0.time), message: $0.message) }
            isLate = entry.isLate
        }
    }
}
