package import ValiseAccounts
import ValiseBackups
import ValiseEncoding
import ValiseFailures
import ValiseRepository
import ValiseStorage

/// Lists the snapshots of a repository, the oldest first.
package struct ListSnapshots: Operation {
    package var repository: RepositoryInput
    /// Whose snapshots; nil for those of all accounts.
    package var account: AccountLocation?
    /// Of the machine where they were made; nil for any.
    package var hostname: String?
    /// Only snapshots with all of these.
    package var tags: [String] = []
    /// At most so many of the newest; nil for all.
    package var most: Int?

    package init(in repository: RepositoryInput) { self.repository = repository }

    /// - Throws: `RepositoryError`; `StorageError`.
    package func run(in context: OperationContext) async throws -> SnapshotList {
        let opened = try await repository.opened(loadsIndex: false, in: context)
        defer { opened.lock.release() }
        context.tell(opened.entryFailures)
        let wanted = Set(tags)
        let found = (account.map { opened.snapshots(of: $0, onAnyMachine: true) } ?? opened.snapshots).filter
        {
            (hostname == nil || $0.record.hostname == hostname)
                && wanted.isSubset(of: Set($0.record.tags))
        }
        return SnapshotList(
            repository: repository.place.text,
            snapshots: found.suffix(most ?? found.count).map { SnapshotSketch($0) },
            count: found.count, entryFailures: opened.entryFailures)
    }
}

/// The snapshots of a repository.
package struct SnapshotList: OperationReport {
    /// Where it is.
    package let repository: String
    /// The oldest first.
    package let snapshots: [SnapshotSketch]
    /// How many there are, listed or not.
    package let count: Int
    /// Files of the repository that cannot be read.
    package let entryFailures: [EntryFailure]

    private enum CodingKeys: CodingKey { case repository, snapshots, count, problems }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(repository, forKey: .repository)
        try container.encode(snapshots, forKey: .snapshots)
        try container.encode(count, forKey: .count)
        try container.encode(entryFailures.map(ProblemDocument.init), forKey: .problems)
    }
}

/// What the record of a snapshot tells.
package struct SnapshotSketch: Sendable, Equatable, Encodable {
    /// 64 hexadecimal digits.
    package let id: String
    /// When it was made, in the zone of that machine, such as `2026-11-21T15:51:09.5+01:00`.
    package let time: String
    /// The same to the minute, for tables.
    package let minute: String
    /// What was backed up there: of an account the folder, and the prefix where it is not the usual one.
    package let paths: [String]
    package let hostname: String
    package let tags: [String]
    /// What made it, such as `valise 1.2`.
    package let program: String
    /// All files, in bytes; nil where the record does not say.
    package let size: Int64?
    /// How many files there are.
    package let files: Int64?
    /// What the snapshot took in the repository, in bytes.
    package let storedSize: Int64?

    /// The digits by which users call it.
    package var shortID: String { String(id.prefix(8)) }

    private enum CodingKeys: CodingKey {
        case id, time, paths, hostname, tags, program, size, files, storedSize
    }

    init(_ snapshot: StoredSnapshot) {
        let record = snapshot.record
        id = snapshot.id.text
        time = record.time.text
        minute = String(record.time.local.isoText.prefix(16)).replacing("T", with: " ")
        paths = record.paths
        hostname = record.hostname
        tags = record.tags
        program = record.program
        size = record.summary.map { Int64(clamping: $0[.bytes]) }
        files = record.summary.map { Int64(clamping: $0[.files]) }
        storedSize = record.summary.map { Int64(clamping: $0[.addedPacked]) }
    }
}

/// An entry with what is wrong with it, as a document.
struct ProblemDocument: Encodable {
    let name: String
    let reason: String

    init(_ failure: EntryFailure) { self.init(failure.entry, failure.reason.sentence) }

    init(_ problem: BackupMetadata.Problem) { self.init(problem.name, problem.reason) }

    private init(_ name: String, _ reason: String) {
        self.name = name
        self.reason = reason
    }
}

extension OpenedRepository {
    /// Files of it that cannot be read.
    var entryFailures: [EntryFailure] {
        problems.compactMap { $0 as? any Failure }.map {
            EntryFailure($0.subject ?? repository.store.location, Remark($0.message, remedy: $0.remedy))
        }
    }
}
