import ValiseAccounts
import ValiseBackups
import ValiseEncoding
import ValiseFailures
import ValiseRepository
import ValiseStorage

extension BackupRun {
    private enum Key: String, CodingKey {
        case accounts, missingSnapshots, repository, repositoryId, repositoryProblems, seconds
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(place, forKey: .repository)
        try container.encode(repository.text, forKey: .repositoryId)
        try container.encode(accounts.map(AccountDocument.init), forKey: .accounts)
        if !vanished.isEmpty { try container.encode(vanished, forKey: .missingSnapshots) }
        if !repositoryProblems.isEmpty {
            try container.encode(repositoryProblems, forKey: .repositoryProblems)
        }
        try container.encode(duration / .seconds(1), forKey: .seconds)
    }

    private struct AccountDocument: Encodable {
        struct Problem: Encodable {
            let name: String
            let message: Remark
        }

        struct Failed: Encodable {
            let code: String
            let message: Remark
        }

        let account: String
        let failure: Failed?
        let snapshot: SnapshotDocument?

        init(_ entry: Account) {
            account = entry.place?.snapshotPath.string ?? entry.name
            failure = entry.failure.map {
                Failed(code: $0.code.rawValue, message: Remark($0.message, remedy: $0.remedy))
            }
            snapshot = entry.snapshot.map(SnapshotDocument.init)
        }
    }

    private struct SnapshotDocument: Encodable {
        struct Tally: Encodable {
            let new: Int
            let changed: Int
            let unchanged: Int

            init(_ tally: SnapshotReport.Tally) {
                (new, changed, unchanged) = (tally.new, tally.changed, tally.unchanged)
            }
        }

        struct Database: Encodable {
            let database: String
            let mode: String
            let pages: UInt32
            let pagesPerGroup: Int
            let newGroups: Int
            let damagedPages: Int
        }

        let id: String?
        let parent: String?
        let time: String
        let files: Tally
        let folders: Tally
        let databases: [Database]
        let session: BackedUpSession?
        let newBlobs: Int
        let size: Int64
        let addedSize: Int64
        let storedSize: Int64?
        let inUse: String?
        let problems: [AccountDocument.Problem]?
        let leftOut: [String]?
        let seconds: Double

        init(_ report: SnapshotReport) {
            id = report.snapshot?.text
            parent = report.parent?.text
            time = report.time.text
            files = Tally(report.files)
            folders = Tally(report.folders)
            databases = report.databases.map {
                Database(
                    database: $0.database.rawValue, mode: $0.mode.rawValue, pages: $0.pageCount,
                    pagesPerGroup: $0.pagesPerGroup, newGroups: $0.newGroups, damagedPages: $0.damaged.count)
            }
            session = report.session.map(BackedUpSession.init)
            newBlobs = report.dataBlobs + report.treeBlobs
            (size, addedSize, storedSize) = (report.totalSize, report.addedSize, report.storedSize)
            inUse = report.holder
            let problems = report.problems.map { AccountDocument.Problem(name: $0.entry, message: $0.reason) }
            self.problems = problems.isEmpty ? nil : problems
            leftOut = report.leftOut.isEmpty ? nil : report.leftOut
            seconds = report.duration / .seconds(1)
        }
    }
}
