package import ValiseAccounts
package import ValiseFailures
package import ValiseMaintenance

/// What was recovered from a damaged archive, and what is lost. Nothing of a zip counts as intact without a valid checksum.
public struct ArchiveSalvageReport: Sendable, Encodable {
    /// What became of a database.
    package enum DatabaseState: String, Sendable, Encodable {
        /// Its checksum holds, and no damage was found in it: it is in the new archive as it was.
        case intact = "whole"
        /// Its checksum holds, and so it is in the new archive as it was; but something in it is wrong, which
        /// was so when it was packed.
        case faulty
        /// Damaged; what could be read of it is in the new archive as a fresh database.
        case salvaged
        /// Damaged; its bytes are in the new archive under a name that no import takes for a database.
        case keptDamaged
        /// Damaged; its bytes do not fit on the disk beside what is whole, and are not in the new archive.
        case noSpace
        /// No bytes of it were found.
        case missing
    }

    package struct Database: Sendable, Encodable {
        package let database: AccountDatabase
        package internal(set) var state: DatabaseState
        /// Its entry in the new archive; nil where there is none.
        package internal(set) var entry: String?
        /// What is wrong with the entry; nil where nothing is.
        package internal(set) var reason: String?
        /// How many bytes of a damaged one exist, unpacked.
        package internal(set) var damagedSize: Int64?
        /// What the salvage of a damaged one saved, and lost.
        package internal(set) var salvage: SalvageReport.Database?
        /// Why the salvage of a damaged one ended without a fresh one; nil where it did not, or was not tried.
        package internal(set) var failure: Remark?
        /// Whether it was looked at inside, page by page and table by table; if not, a checksum is all that holds.
        package internal(set) var isLookedAt = false
    }

    /// An entry whose checksum holds, in the new archive.
    package struct Entry: Sendable, Encodable, Equatable {
        package let name: String
        /// In bytes, unpacked.
        package let size: Int64
    }

    package struct Lost: Sendable, Encodable, Equatable {
        package let name: String
        package let reason: Remark
        /// Where it begins in the broken archive; nil in one that is no zip.
        package let offset: Int64?
        /// How many of its packed bytes exist, whole or not.
        package let bytes: Int64
        /// Whether an older entry of this name is in the new archive.
        package let olderIsKept: Bool

        var withoutOffset: Lost {
            Lost(name: name, reason: reason, offset: nil, bytes: bytes, olderIsKept: olderIsKept)
        }
    }

    /// An entry that was found and is not in the new archive, though nothing of it is lost.
    package struct Passed: Sendable, Encodable, Equatable {
        package let name: String
        /// Where it begins in the broken archive.
        package let offset: Int64
        /// The entry in whose data it lies; nil where it lies in none.
        package let inside: String?
    }

    /// Bytes of the broken archive, from the first to the one before `to`.
    package struct Span: Sendable, Encodable, Equatable {
        package let from: Int64
        package let to: Int64
    }

    package let source: String
    package let target: String
    /// The size of the damaged archive in bytes.
    public let size: Int64
    /// `tar`, `cpio`, `7z`, or what one of them is packed with; nil for a zip. Nothing but a database proves itself then: most
    /// of these archives have no checksums.
    package internal(set) var container: String?
    package let isDryRun: Bool
    /// Whether there was a passphrase for damaged databases.
    let isPassphraseGiven: Bool
    package internal(set) var databases: [Database] = []
    package internal(set) var kept: [Entry] = []
    package internal(set) var lost: [Lost] = []
    /// Entries in whose place another one of the same name is kept.
    package internal(set) var superseded: [Passed] = []
    /// Second entries of the same name and content.
    package internal(set) var duplicates = 0
    /// Entries in the data of a damaged entry: of an archive in the archive.
    package internal(set) var inside: [Passed] = []
    /// Entries that are no part of an account, and were left out.
    package internal(set) var others: [String] = []
    /// Bytes that nothing explains.
    package internal(set) var unknown: [Span] = []
    /// Whether it is known that no further entries were in the archive.
    package internal(set) var isEverythingNamed = false
    package internal(set) var notes: [String] = []

    init(source: String, target: String, size: Int64, isDryRun: Bool, isPassphraseGiven: Bool) {
        self.source = source
        self.target = target
        self.size = size
        self.isDryRun = isDryRun
        self.isPassphraseGiven = isPassphraseGiven
    }

    /// Whether the new archive has both databases, so that it can be imported.
    public var isImportable: Bool {
        databases.allSatisfy { [.intact, .faulty, .salvaged].contains($0.state) }
    }

    /// Whether the databases were looked at inside; if not, ``isComplete`` says of them that their checksums hold.
    package var isLookedAt: Bool { databases.allSatisfy(\.isLookedAt) }

    /// Whether a passphrase, which was not given, may open a damaged database.
    package var isPassphraseMissing: Bool { databases.contains(where: needsPassphrase) }

    /// The same of one database.
    package func needsPassphrase(_ database: Database) -> Bool {
        !isPassphraseGiven && database.state == .keptDamaged && !database.isLookedAt
            && database.failure == nil
    }

    /// Whether everything that belongs to the account is intact and was recovered.
    package var isComplete: Bool {
        lost.isEmpty && isEverythingNamed && databases.allSatisfy { $0.state == .intact }
    }

    private enum CodingKeys: String, CodingKey {
        case source, target, size, container, isDryRun, databases, kept, lost, superseded, duplicates, inside
        case others, unknown, isEverythingNamed, notes, isImportable, isComplete, isLookedAt
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(source, forKey: .source)
        try container.encode(target, forKey: .target)
        try container.encode(size, forKey: .size)
        try container.encodeIfPresent(self.container, forKey: .container)
        try container.encode(isDryRun, forKey: .isDryRun)
        try container.encode(databases, forKey: .databases)
        try container.encode(kept, forKey: .kept)
        try container.encode(lost, forKey: .lost)
        try container.encode(superseded, forKey: .superseded)
        try container.encode(duplicates, forKey: .duplicates)
        try container.encode(inside, forKey: .inside)
        try container.encode(others, forKey: .others)
        try container.encode(unknown, forKey: .unknown)
        try container.encode(isEverythingNamed, forKey: .isEverythingNamed)
        try container.encode(notes, forKey: .notes)
        try container.encode(isImportable, forKey: .isImportable)
        try container.encode(isComplete, forKey: .isComplete)
        try container.encode(isLookedAt, forKey: .isLookedAt)
    }
}
