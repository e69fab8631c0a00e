import Synchronization
package import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseXFTPWire

/// Moves what a relay keeps into other records, other bytes, or both.
///
/// Chunks go in the order of their names: what the destination has already stays, and what differs is brought in line. So whoever
/// was killed, interrupted or cut off runs it again, and it goes on where it was, without a file of its own for that.
///
/// A first pass is made while the source's relay runs (``Pass/online``); a last one when no relay runs on either side
/// (``Pass/final``). It is short, as most is there already, removes from the destination what has gone at the source meanwhile, and
/// compares both sides. Of one pass alone only the last is needed.
///
/// Counters of a day are not moved: records have no call to set them.
package struct StoreMigration: Sendable {
    /// What is moved.
    package enum Scope: String, Sendable, Codable, CaseIterable {
        /// Records and bytes.
        case everything
        /// Records; bodies stay where they are, under their names. Embedded records get them as ``StayingBytes``.
        case records
        /// Bytes, under the names that the records of the source have. The records stay.
        case bytes
    }

    /// How much of a migration is done.
    package enum Pass: String, Sendable, Codable, CaseIterable {
        /// What can be while a relay runs with the source.
        case online
        /// All of it. No relay runs with either side.
        case final
    }

    package let source: RelayStores
    package let destination: RelayStores
    package var scope = Scope.everything
    package var pass = Pass.final
    /// Whether the bodies of the destination are read at the end of the last pass, and compared with their digests.
    package var verifiesContent = true
    /// How many chunks are under way at a time.
    package var threads = 6
    /// How long the space of an upload stays reserved whose migration was killed, in seconds.
    package var uploadLifetime: Int64 = 3600
    /// Seconds since 1970.
    package var clock: @Sendable () -> Int64 = UTCTime.clock
    /// In names, see ``RecordPages``.
    var pageSize = RecordPages.usualSize

    package init(from source: RelayStores, to destination: RelayStores) {
        self.source = source
        self.destination = destination
    }

    /// What there is at the source, and what is at the destination already.
    package struct Plan: Sendable {
        package let source: StoreUsage
        package let destination: StoreUsage
    }

    /// - Throws: ``XFTPStoreError``: `noSpace` where the quota of the destination is less than what the source has.
    package func plan() throws -> Plan {
        do {
            let source = try source.records.usage()
            let plan = Plan(
                source: source, destination: scope == .bytes ? source : try destination.records.usage())
            if scope != .bytes, let quota = plan.destination.quota, source.usedSpace > quota {
                throw XFTPStoreError(
                    .noSpace,
                    "the destination's quota of \(Count.bytes(quota)) is less than the "
                        + "\(Count.bytes(source.usedSpace)) of the source. Nothing was changed.",
                    answer: .quota)
            }
            return plan
        } catch {
            throw XFTPStoreError(error)
        }
    }

    /// Moves.
    /// - Parameter progress: hears of it; throws to stop.
    /// - Throws: ``XFTPStoreError``: as ``plan()``; `inUse` where another process sweeps the destination or migrates into it;
    ///   `alreadyExists` where the destination has something else under a name. `Interruption`. Whatever was moved until then stays.
    package func run(_ progress: ProgressHandler = { _ in }) throws -> StoreMigrationReport {
        let plan = try plan()
        do {
            return try alone { try move(plan, progress) }
        } catch is Interruption {
            throw Interruption(
                state: "The source is unchanged. What was moved stays, and the next run continues from there."
            )
        } catch {
            throw XFTPStoreError(error)
        }
    }

    /// Nobody else sweeps the destination, or migrates into it.
    private func alone(_ body: () throws -> StoreMigrationReport) throws -> StoreMigrationReport {
        // The relay of these records may run, and has to sweep.
        if scope == .bytes { return try body() }
        var report: StoreMigrationReport?
        _ = try destination.records.whileSweeping { report = try body() }
        guard let report else {
            throw XFTPStoreError(
                .inUse, "a relay or another migration is at work on the destination. Nothing was changed.")
        }
        return report
    }

    private func move(_ plan: Plan, _ progress: ProgressHandler) throws -> StoreMigrationReport {
        let work = StoreMigrationWork(self)
        if scope == .bytes {
            try work.moveBytes(plan.source, progress)
        } else {
            try work.moveRecords(plan.source, progress)
        }
        if pass == .final { try work.verify(progress) }
        return work.report
    }
}

/// One pass of a migration, and what it has done.
final class StoreMigrationWork: Sendable {
    let migration: StoreMigration
    private let state: Mutex<StoreMigrationReport>

    init(_ migration: StoreMigration) {
        self.migration = migration
        state = Mutex(StoreMigrationReport(migration.scope, migration.pass))
    }

    var source: RelayStores { migration.source }
    var destination: RelayStores { migration.destination }
    var isFinal: Bool { migration.pass == .final }
    /// Whether bodies are where they belong.
    var bodiesStay: Bool { migration.scope == .records }

    var report: StoreMigrationReport { state.withLock { $0 } }

    func note(_ body: (inout StoreMigrationReport) -> Void) { state.withLock { body(&$0) } }

    /// Removes a body of the destination, unless bodies belong to the source.
    func removeBody(_ name: BodyName) throws {
        if !bodiesStay { try destination.bytes.remove(name) }
    }

    // MARK: Records

    func moveRecords(_ usage: StoreUsage, _ progress: ProgressHandler) throws {
        try settle()
        var pairs = StorePairs(source.records, destination.records, pageSize: migration.pageSize)
        var done = 0
        while case let page = try pairs.next(names: migration.pageSize), !page.isEmpty {
            try onThreads(page, { try self.move($0) }) { count in
                try progress(
                    OperationProgress(
                        "moving chunks", completed: Int64(done + count),
                        total: Int64(max(usage.chunks, done + count)), unit: .items))
            }
            done += page.count
        }
        try settle()
    }

    /// Nothing expires. Space of uploads that were killed is free again, and so are names of bodies that have gone: those of
    /// bodies that stay must not be removed later, as somebody may have them.
    private func settle() throws {
        _ = try destination.records.expire(before: 0, at: migration.clock()) { try removeBody($0) }
    }

    /// Does something with each element, several at a time.
    /// - Throws: the first failure: what was begun then has ended.
    func onThreads<Element: Sendable>(
        _ elements: [Element], _ body: @Sendable (Element) throws -> Void, _ report: (Int) throws -> Void
    ) throws {
        try ParallelBatches.run(
            count: elements.count, workers: migration.threads, makeWorker: {},
            work: { _, number in try body(elements[number]) }, report: report)
    }
}
