/// What a check found that is not as it should be with one body.
package struct BodyFinding: Hashable, Sendable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// Records name it, and it is missing.
        case missing
        /// It does not have the size that was announced.
        case wrongSize
        /// It does not have the digest that was announced, or cannot be read.
        case damaged
        /// No record names it: it takes space, and nobody can have it.
        case unrecorded

        /// Whether somebody cannot have a chunk.
        var isLoss: Bool { self != .unrecorded }
    }

    package let kind: Kind
    package let body: BodyName
    /// What it has, in bytes; nil where it is missing.
    package let size: Int64?
    /// What records say, in bytes; nil where they say nothing.
    package let expectedSize: UInt32?
    /// When it was stored, in seconds since 1970; nil where it is recorded.
    package let modified: Int64?
    /// SHA-256 that was announced; nil where it is not recorded.
    let digest: [UInt8]?
    /// Of its chunk.
    let recipient: StoredID?

    init(_ kind: Kind, _ expected: ExpectedBody, found size: Int64? = nil) {
        self.kind = kind
        body = expected.body.name
        self.size = size
        expectedSize = expected.body.size
        modified = nil
        digest = expected.digest
        recipient = expected.recipient
    }

    /// A body without a record.
    init(_ listed: ListedBody) {
        kind = .unrecorded
        body = listed.name
        size = listed.size
        expectedSize = nil
        modified = listed.modified
        digest = nil
        recipient = nil
    }
}

/// What a check of a store found.
package struct StoreCheckReport: Sendable, Codable, Equatable {
    /// How many findings are named. All are counted.
    package static let mostNamed = 100

    /// One finding.
    package struct Entry: Sendable, Codable, Equatable {
        package let kind: BodyFinding.Kind
        /// The name of the body: base64url of its chunk's, and of the upload's number.
        package let body: String
        /// What it has, in bytes; nil where it is missing.
        package let size: Int64?
        /// What records say, in bytes; nil where they say nothing.
        package let expectedSize: UInt32?
    }

    /// Whether all bodies are there that records name, and as far as they were read are what was announced.
    package internal(set) var isIntact = true
    /// What the records have.
    package internal(set) var records = StoreTally()
    /// Bodies that are here.
    package internal(set) var bodies = 0
    /// Of these, in bytes.
    package internal(set) var bodySize: Int64 = 0
    /// Bodies that have the digest that was announced.
    package internal(set) var verifiedBodies = 0
    /// Of these, in bytes.
    package internal(set) var verifiedSize: Int64 = 0
    /// Bodies that no record names and that are as young as an upload may be.
    package internal(set) var incomingBodies = 0
    package internal(set) var missing = 0
    package internal(set) var wrongSize = 0
    package internal(set) var damaged = 0
    package internal(set) var unrecorded = 0
    /// Of the unrecorded ones, in bytes.
    package internal(set) var unrecordedSize: Int64 = 0
    /// The first of each kind, up to a fourth of ``mostNamed``.
    package internal(set) var named: [Entry] = []

    init() {}

    /// How many findings there are.
    package var findings: Int { missing + wrongSize + damaged + unrecorded }

    mutating func note(_ finding: BodyFinding) {
        if finding.kind.isLoss { isIntact = false }
        switch finding.kind {
        case .missing: missing += 1
        case .wrongSize: wrongSize += 1
        case .damaged: damaged += 1
        case .unrecorded:
            unrecorded += 1
            unrecordedSize += finding.size ?? 0
        }
        // One kind may have very many, and the others are worth a look too.
        guard
            named.count(where: { $0.kind == finding.kind }) < Self.mostNamed / BodyFinding.Kind.allCases.count
        else { return }
        named.append(
            Entry(
                kind: finding.kind, body: finding.body.text, size: finding.size,
                expectedSize: finding.expectedSize))
    }
}
