/// What a pass of a migration did, and what the comparison at the end of the last pass found.
package struct StoreMigrationReport: Sendable, Codable, Equatable {
    /// How many problems are named. All are counted.
    package static let mostNamed = 100

    package let scope: StoreMigration.Scope
    package let pass: StoreMigration.Pass
    /// What the source has, as its records say.
    package internal(set) var source = StoreTally()
    package internal(set) var createdChunks = 0
    package internal(set) var changedChunks = 0
    package internal(set) var removedChunks = 0
    package internal(set) var addedRecipients = 0
    package internal(set) var removedRecipients = 0
    /// Bodies that arrived in this pass.
    package internal(set) var movedBodies = 0
    /// Of these, what was copied, in bytes.
    package internal(set) var movedBytes: Int64 = 0
    /// Bodies that were at the destination already.
    package internal(set) var presentBodies = 0
    /// Bodies that have gone at the source, or that nothing names.
    package internal(set) var removedBodies = 0
    /// Bodies that records of the source name and that are missing there. While its relay runs, most are of chunks that were deleted.
    package internal(set) var missingBodies = 0
    /// Bodies of the source that do not have the digest that was announced. They are not moved.
    package internal(set) var damagedBodies = 0
    /// Bodies of chunks that are treated as unknown: nobody can fetch them. They are not moved.
    package internal(set) var unreachableBodies = 0
    /// The first ``mostNamed`` of the missing and damaged ones, by their names.
    package internal(set) var named: [String] = []
    /// Nil before the last pass.
    package internal(set) var comparison: MigrationComparison?

    init(_ scope: StoreMigration.Scope, _ pass: StoreMigration.Pass) {
        self.scope = scope
        self.pass = pass
    }

    /// Whether the destination has all that the source has, and nothing else; nil before the last pass.
    package var isComplete: Bool? { comparison?.isEqual }

    /// How many bodies the source itself does not have as its records say. Where bodies stay, the last pass looks.
    package var lostBodies: Int {
        guard scope == .records else { return missingBodies + damagedBodies }
        return comparison.map { $0.check.missing + $0.check.wrongSize + $0.check.damaged } ?? 0
    }

    /// A chunk of the source.
    mutating func count(_ chunk: ListedChunk) {
        source.add(chunk)
        guard let body = chunk.body else { return }
        source.add(body)
        if scope == .everything, chunk.chunk.status != .active { unreachableBodies += 1 }
    }

    mutating func missing(_ name: BodyName) {
        missingBodies += 1
        self.name(name)
    }

    mutating func damaged(_ name: BodyName) {
        damagedBodies += 1
        self.name(name)
    }

    private mutating func name(_ name: BodyName) {
        if named.count < Self.mostNamed { named.append(name.text) }
    }
}

/// Counts of a store.
package struct StoreTally: Sendable, Codable, Equatable {
    package internal(set) var chunks = 0
    package internal(set) var recipients = 0
    /// Chunks whose bodies are here.
    package internal(set) var uploaded = 0
    /// Of bodies, in bytes.
    package internal(set) var usedSpace: Int64 = 0

    init() {}

    mutating func add(_ chunk: ListedChunk) {
        chunks += 1
        recipients += chunk.recipients.count
    }

    mutating func add(_ body: StoredBody) {
        uploaded += 1
        usedSpace += Int64(body.size)
    }

    mutating func add(_ other: StoreTally) {
        chunks += other.chunks
        recipients += other.recipients
        uploaded += other.uploaded
        usedSpace += other.usedSpace
    }

    /// Whether this is what the store itself counts.
    func agrees(with usage: StoreUsage) -> Bool {
        chunks == usage.chunks && recipients == usage.recipients && uploaded == usage.uploaded
            && usedSpace == usage.usedSpace
    }
}

/// A chunk that two stores do not have in the same way.
package struct StoreDifference: Sendable, Codable, Equatable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case missingChunk
        case surplusChunk
        case otherStatus
        case otherRecipients
        case missingBody
        case surplusBody
    }

    package let kind: Kind
    /// As its sender knows it, in base64url.
    package let chunk: String

    init(_ kind: Kind, _ chunk: StoredID) {
        self.kind = kind
        self.chunk = BodyName(chunk: chunk).text
    }
}

/// Two stores after the last pass of a migration.
package struct MigrationComparison: Sendable, Codable, Equatable {
    /// Whether the destination has all that the source has, and nothing else, and what arrived is intact.
    package internal(set) var isEqual = false
    /// What the records of the destination have, chunk by chunk.
    package internal(set) var destination = StoreTally()
    /// What they count themselves; nil where the records stayed.
    package internal(set) var usage: StoreUsage?
    package internal(set) var differences = 0
    /// The first ``StoreMigrationReport/mostNamed``.
    package internal(set) var named: [StoreDifference] = []
    /// The records of the destination against its bytes.
    package internal(set) var check = StoreCheckReport()

    init() {}

    mutating func note(_ difference: StoreDifference) {
        differences += 1
        if named.count < StoreMigrationReport.mostNamed { named.append(difference) }
    }

    /// What the source does not have itself cannot be at the destination.
    /// - Parameter report: of the pass.
    mutating func conclude(_ report: StoreMigrationReport) {
        let agrees = differences == 0 && usage.map { destination.agrees(with: $0) } ?? true
        isEqual =
            switch report.scope {
            case .everything: agrees && check.isIntact
            case .records: agrees
            case .bytes:
                check.missing == report.missingBodies + report.damagedBodies
                    && check.wrongSize + check.damaged == 0
            }
    }
}
