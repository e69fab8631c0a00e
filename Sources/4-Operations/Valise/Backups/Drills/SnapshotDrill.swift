import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
import ValiseMaintenance
import ValiseRepository
import ValiseSessionStore
import ValiseStorage

/// What a drill with one snapshot proved.
package struct SnapshotDrill: Sendable, Encodable {
    /// How it ended.
    package enum Outcome: String, Sendable, Encodable {
        /// Both databases open and are intact, and so are all files that were read.
        case passed
        case damaged
        /// The passphrase does not open the databases.
        case wrongPassphrase
    }

    /// How the databases were read.
    package enum Method: String, Sendable, Encodable {
        /// They were restored into a private folder, which was removed afterwards.
        case restored
        /// In the repository.
        case inPlace
    }

    /// A database.
    package struct Database: Sendable, Encodable, Equatable {
        package let database: AccountDatabase
        package let isIntact: Bool
        /// In bytes.
        package let size: Int64
        /// Whole pages; nil where their size is not known.
        package let pages: UInt32?
        /// The first ones.
        package let problems: [String]
    }

    /// The snapshot's files beside the databases.
    package struct Media: Sendable, Encodable, Equatable {
        /// A file that is not what it was.
        package struct Problem: Sendable, Encodable, Equatable {
            package let name: String
            package let message: String
        }

        /// All that the snapshot has.
        package internal(set) var files = 0
        /// Those that were read completely, chosen by chance.
        package internal(set) var checked = 0
        /// In bytes.
        package internal(set) var checkedSize: Int64 = 0
        /// Files that messages refer to and that the snapshot has not: the account had not all of them either.
        package internal(set) var missing = 0
        package internal(set) var problems: [Problem] = []
    }

    package let snapshot: String
    /// With the zone of the machine, such as `2026-11-21T15:51:09+01:00`.
    package let time: String
    package let hostname: String
    /// The account as it was backed up.
    package let path: String
    /// What the names of its databases begin with.
    package internal(set) var prefix = AccountLocation.usualPrefix
    package internal(set) var outcome = Outcome.damaged
    /// Why there is no more to say; nil where everything was looked at.
    package internal(set) var failure: String?
    /// Nil where it did not come so far.
    package internal(set) var method: Method?
    package internal(set) var databases: [Database] = []
    /// What the restored store of Session has; nil for an account.
    package internal(set) var session: BackedUpSession?
    package internal(set) var media: Media?
    package internal(set) var seconds: Double = 0

    private static let mostProblems = 20

    init(_ snapshot: StoredSnapshot) {
        self.snapshot = snapshot.id.text
        time = snapshot.record.time.text
        hostname = snapshot.record.hostname
        path = snapshot.record.paths.joined(separator: ", ")
    }

    /// What the restored store of Session has.
    mutating func take(_ facts: SessionFacts, _ media: Media) {
        session = BackedUpSession(facts)
        self.media = media
        outcome = facts.isOpened ? media.problems.isEmpty ? .passed : .damaged : .wrongPassphrase
    }

    /// What a check of the account found.
    mutating func take(_ report: AccountCheckReport, _ media: Media) {
        databases = report.databases.map { database, findings in
            Database(
                database: database, isIntact: findings.isIntact, size: findings.size, pages: findings.pages,
                problems: findings.problems.prefix(Self.mostProblems).map { "\($0.message)" })
        }
        if let agreement = report.agreement, !agreement.isIntact {
            failure = "the databases do not match: \(agreement.contradiction)"
        }
        var media = media
        media.missing = report.media?.missingCount ?? 0
        self.media = media
        outcome =
            switch report.verdict {
            case .intact, .mediaProblems: media.problems.isEmpty ? .passed : .damaged
            case .damaged: .damaged
            case .wrongPassphrase: .wrongPassphrase
            }
    }
}

/// What drills with the newest snapshots of accounts proved.
package struct SnapshotDrills: OperationReport {
    /// Where it is; folders as absolute paths.
    package let place: String
    /// The repository's own ID, in hexadecimal digits.
    package let repository: String
    package internal(set) var drills: [SnapshotDrill] = []
    /// Snapshots without an account, such as those of other programs.
    package internal(set) var skipped: [String] = []

    /// Whether all passed.
    package var isPassed: Bool { drills.allSatisfy { $0.outcome == .passed } }
}
