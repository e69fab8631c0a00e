/// Schemas of Session iOS by its migrations, as far as the sheet on Session's formats tells them apart (sections 1.1 to 2.1).
package enum PhoneEra: CaseIterable, Sendable {
    /// Of 2.15.2.
    case current
    /// Before 2.15.1, whose migration `JobRunnerRefactorChanges` made other tables of jobs.
    case olderJobs
    /// Before received messages had records of their own.
    case noDeduplication

    package static let known = 47

    /// The names of migrations; those that the sheet does not name have numbers.
    package func migrations(_ count: Int? = nil) -> [String] {
        let named =
            switch self {
            case .current: ["messagingKit.MessageDeduplicationTable", "JobRunnerRefactorChanges"]
            case .olderJobs: ["messagingKit.MessageDeduplicationTable"]
            case .noDeduplication: [] as [String]
            }
        let all = Self.known - (2 - named.count)
        let others = max(0, (count ?? all) - 1 - named.count)
        return ["utilitiesKit.initialSetup"] + (0..<others).map { "messagingKit.step\($0)" } + named
    }

    package var hasDeduplication: Bool { self != .noDeduplication }

    /// Tables that hold nothing of messages.
    package var jobTables: [String] {
        guard self == .current else {
            return [
                """
                CREATE TABLE job (id INTEGER PRIMARY KEY AUTOINCREMENT, priority INTEGER, failureCount INTEGER DEFAULT 0,
                    variant INTEGER, behaviour INTEGER, shouldBlock BOOLEAN, shouldSkipLaunchBecomeActive BOOLEAN,
                    nextRunTimestamp DOUBLE, threadId TEXT, interactionId INTEGER, details BLOB)
                """,
                "CREATE TABLE jobDependencies (jobId INTEGER, dependantId INTEGER)",
            ]
        }
        return [
            """
            CREATE TABLE job (id INTEGER PRIMARY KEY AUTOINCREMENT, failureCount INTEGER DEFAULT 0, variant INTEGER,
                threadId TEXT, interactionId INTEGER, details BLOB, uniqueHashValue INTEGER)
            """,
            """
            CREATE TABLE jobDependency (jobId INTEGER REFERENCES job ON DELETE CASCADE, variant INTEGER,
                otherJobId INTEGER REFERENCES job ON DELETE SET NULL, timestamp DOUBLE, threadId TEXT)
            """,
        ]
    }
}
