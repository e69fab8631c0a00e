package import ValiseConcurrency
import ValiseEncoding
import ValiseFailures

/// Compares the records of a relay with its bytes, both ways. Nothing is changed.
///
/// Both are gone through side by side, so that memory does not grow with their number (see ``ExpectedBodies``). A relay may run
/// meanwhile: what one of both sides does not have is looked for once more before it counts.
package struct StoreCheck: Sendable {
    package let stores: RelayStores
    /// Whether all bodies are read and compared with their digests.
    package var readsContent = false
    /// Bodies that no record names may be of uploads that are under way until they are so old, in seconds.
    package var incomingAge: Int64 = 3600
    /// For how long a body has to be missing. A relay with a log removes a body before its record, which takes as long as a flush.
    package var patience: Duration = .seconds(2)
    /// How many bodies are read at a time.
    package var threads = 6
    /// Seconds since 1970.
    package var clock: @Sendable () -> Int64 = UTCTime.clock
    /// See ``ExpectedBodies``.
    var groupSize = ExpectedBodies.usualGroupSize

    package init(_ stores: RelayStores) { self.stores = stores }

    /// Checks.
    /// - Parameters:
    ///   - progress: hears of it; throws to stop.
    ///   - found: gets each finding as soon as it was made.
    /// - Throws: ``XFTPStoreError``; `Interruption`; whatever the closures throw.
    package func run(
        _ progress: ProgressHandler = { _ in }, found: (BodyFinding) throws -> Void = { _ in }
    ) throws -> StoreCheckReport {
        do {
            var run = try StoreCheckRun(self)
            try run.check(progress, found)
            return run.report
        } catch let error as Interruption {
            throw error
        } catch {
            throw XFTPStoreError(error)
        }
    }
}

/// One check, and what it has found.
private struct StoreCheckRun {
    /// How many bodies are read before others are looked for.
    private static let batchSize = 64
    private static let progressStep = 256
    /// How many findings wait together until they are looked at again.
    private static let mostDoubtful = 1024
    private static let pause: Duration = .milliseconds(50)

    let check: StoreCheck
    var report = StoreCheckReport()
    private var expected: ExpectedBodies
    private var unread: [ExpectedBody] = []
    /// What was missing when it was looked at.
    private var doubtful: [(expected: ExpectedBody, finding: BodyFinding)] = []
    private let now: Int64
    private let total: Int64?
    private var done: Int64 = 0

    init(_ check: StoreCheck) throws {
        self.check = check
        expected = ExpectedBodies(check.stores.records, groupSize: check.groupSize)
        now = check.clock()
        total = Int64(try check.stores.records.usage().uploaded)
    }

    mutating func check(_ progress: ProgressHandler, _ found: (BodyFinding) throws -> Void) throws {
        try check.stores.bytes.list(after: nil) { body in
            report.bodies += 1
            report.bodySize += body.size
            while let next = try expected.peek(), next.body.name < body.name {
                try step(progress, found)
                try doubt(BodyFinding(.missing, next), next, progress, found)
            }
            if let next = try expected.peek(), next.body.name == body.name {
                try step(progress, found)
                try compare(next, body, progress, found)
            } else {
                try unrecorded(body, found)
            }
            return true
        }
        while let next = try expected.peek() {
            try step(progress, found)
            try doubt(BodyFinding(.missing, next), next, progress, found)
        }
        try readContent(progress, found)
        try settle(progress, found)
        report.records = expected.tally
    }

    private mutating func step(
        _ progress: ProgressHandler, _ found: (BodyFinding) throws -> Void
    ) throws {
        expected.skip()
        done += 1
        guard done % Int64(Self.progressStep) == 1 else { return }
        try progress(state)
    }

    private var state: OperationProgress {
        OperationProgress(
            "checking chunks", completed: done, total: total.map { max($0, done) }, unit: .items)
    }

    private mutating func note(_ finding: BodyFinding, _ found: (BodyFinding) throws -> Void) throws {
        report.note(finding)
        try found(finding)
    }

    // MARK: Kinds

    private mutating func doubt(
        _ finding: BodyFinding, _ expected: ExpectedBody, _ progress: ProgressHandler,
        _ found: (BodyFinding) throws -> Void
    ) throws {
        guard try isMissing(expected) else { return }
        doubtful.append((expected, finding))
        if doubtful.count >= Self.mostDoubtful { try settle(progress, found) }
    }

    /// Whether there is no body of this size, and records say that there is.
    private func isMissing(_ expected: ExpectedBody) throws -> Bool {
        try !check.stores.bytes.has(expected.body)
            && check.stores.records.names(expected.body.name, recipient: expected.recipient)
    }

    /// Looks again at what was missing, after a while.
    private mutating func settle(
        _ progress: ProgressHandler, _ found: (BodyFinding) throws -> Void
    ) throws {
        if doubtful.isEmpty { return }
        let end = ContinuousClock.now + check.patience
        while ContinuousClock.now < end {
            try progress(state)
            _ = Gate().wait(atMost: min(Self.pause, end - .now))
        }
        let findings = doubtful
        doubtful = []
        for (expected, finding) in findings where try isMissing(expected) { try note(finding, found) }
    }

    private mutating func compare(
        _ next: ExpectedBody, _ body: ListedBody, _ progress: ProgressHandler,
        _ found: (BodyFinding) throws -> Void
    ) throws {
        guard body.size == Int64(next.body.size) else {
            return try doubt(BodyFinding(.wrongSize, next, found: body.size), next, progress, found)
        }
        guard check.readsContent else { return }
        unread.append(next)
        if unread.count >= Self.batchSize { try readContent(progress, found) }
    }

    private mutating func unrecorded(
        _ body: ListedBody, _ found: (BodyFinding) throws -> Void
    ) throws {
        guard body.modified <= now - check.incomingAge else {
            report.incomingBodies += 1
            return
        }
        guard try !check.stores.records.names(body.name, recipient: nil) else { return }
        try note(BodyFinding(body), found)
    }

    private mutating func readContent(
        _ progress: ProgressHandler, _ found: (BodyFinding) throws -> Void
    ) throws {
        let (bodies, stores) = (unread, check.stores)
        unread = []
        let verdicts = try ContentVerdict.of(bodies, stores, threads: check.threads) { _ in
            try progress(state)
        }
        for (next, verdict) in zip(bodies, verdicts) {
            switch verdict {
            case .intact:
                report.verifiedBodies += 1
                report.verifiedSize += Int64(next.body.size)
            case .damaged:
                guard try stores.records.names(next.body.name, recipient: next.recipient) else { continue }
                // What has gone is missing, not damaged.
                guard try stores.bytes.has(next.body) else {
                    try doubt(BodyFinding(.missing, next), next, progress, found)
                    continue
                }
                try note(BodyFinding(.damaged, next, found: Int64(next.body.size)), found)
            }
        }
    }
}
