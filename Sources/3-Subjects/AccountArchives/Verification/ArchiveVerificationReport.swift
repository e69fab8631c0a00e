import SystemPackage
package import ValiseAccounts
package import ValiseArchives
package import ValiseChatSchema
import ValiseEncoding
package import ValiseFailures
import ValiseFiles
package import ValiseMaintenance
package import ValiseMedia

/// What a verification of an archive found. Its JSON is this type's own.
public struct ArchiveVerificationReport: Sendable, Equatable, Codable {
    /// The overall result.
    public enum Verdict: String, Sendable, Codable {
        /// Nothing is wrong; what an unencrypted account cannot prove is in `ArchiveVerificationReport.notProved`.
        case intact = "good"
        /// The zip is intact, and without the passphrase nothing tells whether the databases are.
        case unverified = "unproved"
        /// Both databases are intact. Media are missing, damaged, or not as the messages say; or another entry is
        /// damaged.
        case entryProblems
        /// The passphrase opens neither database.
        case wrongPassphrase
        /// The zip or a database is damaged, or a database is missing.
        case damaged
        /// Whole, and made by a newer program than this one knows.
        case newer
        /// Well formed as far as can be told, and nothing that an import takes.
        case unsupported
    }

    /// As it was named.
    package let archive: String
    /// In bytes.
    public let size: Int64
    /// When the archive was last modified, in UTC.
    package let modified: String
    /// `tar`, `cpio`, `7z`, or what one of them is packed with; nil for a zip.
    package internal(set) var container: String?
    /// The overall result.
    public internal(set) var verdict = Verdict.intact
    package internal(set) var structure = StructureFindings()
    /// Nil where the structure is broken.
    package internal(set) var contents: ContentsFindings?
    /// Databases that the archive does not have.
    package internal(set) var missing: [AccountDatabase] = []
    /// Nil where it could not be reached.
    package internal(set) var chat: DatabaseFindings?
    /// Nil where it could not be reached.
    package internal(set) var agent: DatabaseFindings?
    /// Nil where not both databases could be read.
    package internal(set) var agreement: DatabaseAgreement?
    /// Nil where it could not be read.
    package internal(set) var chatSchema: SchemaStatus?
    /// Nil where it could not be read.
    package internal(set) var agentSchema: SchemaStatus?
    /// Nil where they could not be read.
    package internal(set) var users: [ArchivedUser]?
    /// Nil where the chat database could not be read.
    package internal(set) var media: MediaAuditReport?
    package internal(set) var importOutlook = ImportOutlook.notKnown
    /// What could not be looked at, and why.
    package internal(set) var notProved: [Unproved] = []
    /// How long it took.
    package internal(set) var seconds = 0.0

    init(_ archive: FilePath, _ attributes: FileAttributes) {
        self.archive = archive.string
        size = attributes.size
        modified = UTCTime(seconds: attributes.modificationTime).isoText
    }

    /// Both databases by name, as far as they could be reached.
    package var databases: [(AccountDatabase, DatabaseFindings)] {
        [(AccountDatabase.chat, chat), (.agent, agent)].compactMap { name, found in found.map { (name, $0) } }
    }

    /// Whether anything of it can be salvaged: it is a zip with entries, in whatever state, or another archive.
    package var isSalvageable: Bool { container != nil || !structure.hasNoHeaders }

    /// Whether nothing of it is damaged, and a database is missing: a salvage would write the same archive again.
    package var isOnlyIncomplete: Bool {
        let problems = databases.map(\.1.problemCount) + [structure.hiddenCount, contents?.problemCount ?? 0]
        return !missing.isEmpty && structure.refusal == nil && problems.allSatisfy { $0 == 0 }
    }

    /// Whether nothing of it is damaged, and nothing of an account is in it.
    package var isWithoutAccount: Bool {
        isOnlyIncomplete && missing.count == AccountDatabase.allCases.count
            && contents?.files == structure.foreignCount
    }

    /// Whether it is no archive at all, so that there is nothing to verify.
    package var isNoArchive: Bool {
        !isSalvageable && structure.refusal?.defect == ZipError.Defect.notAZip.rawValue
    }

    /// Both schemas by name, as far as they could be read.
    package var schemas: [(AccountDatabase, SchemaStatus)] {
        [(AccountDatabase.chat, chatSchema), (.agent, agentSchema)].compactMap { name, found in
            found.map { (name, $0) }
        }
    }
}

/// Whether the parts of the zip file fit together.
package struct StructureFindings: Sendable, Equatable, Codable {
    /// How many entries there are, folders included.
    package internal(set) var entries = 0
    /// In bytes.
    package internal(set) var unpackedSize: Int64 = 0
    /// Files that are no part of an account: the first thousand. An import leaves them out.
    package internal(set) var foreign: [String] = []
    /// How many there are.
    package internal(set) var foreignCount = 0
    /// What lies in the file and is in no entry that the directory names: the first thousand. An import refuses that.
    package internal(set) var hidden: [ZipHiddenRecord] = []
    /// How many there are.
    package internal(set) var hiddenCount = 0
    /// Entries whose two headers have different flags that change nothing: the first thousand.
    package internal(set) var flagDifferences: [String] = []
    /// How many there are.
    package internal(set) var flagDifferenceCount = 0
    /// Why the archive is refused; nil where it is not. Nothing else is looked at then.
    package internal(set) var refusal: EntryProblem?
    /// Whether it is refused for something that is no damage but not supported.
    package internal(set) var isUnsupported = false
    /// Whether not even damaged headers of entries are in the file.
    var hasNoHeaders = false

    private enum CodingKeys: CodingKey {
        case entries, unpackedSize, foreign, foreignCount, hidden, hiddenCount
        case flagDifferences, flagDifferenceCount, refusal, isUnsupported
    }
}

/// What the checksums of the entries say.
package struct ContentsFindings: Sendable, Equatable, Codable {
    /// How many files were unpacked and compared with their checksum.
    package internal(set) var files = 0
    /// In bytes, unpacked.
    package internal(set) var bytes: Int64 = 0
    /// The first thousand that are not what their checksums say.
    package internal(set) var problems: [EntryProblem] = []
    /// How many there are.
    package internal(set) var problemCount = 0
    /// Whether a database is among them.
    package internal(set) var hasDatabaseProblem = false
}

/// What is wrong with an entry, or with the zip file as a whole.
package struct EntryProblem: Sendable, Equatable, Codable {
    /// Nil for the file as a whole.
    package let entry: String?
    /// In a word, such as `checksum`.
    package let defect: String
    /// One sentence for the user.
    package let message: Remark
}

/// A user of an account.
package struct ArchivedUser: Sendable, Equatable, Codable {
    /// Nil for a hidden profile: whoever reads the report need not know of it more than that it is there.
    package let name: String?
    /// Whether it is the one that the app shows first; nil where the table does not say, as the apps' tables all do.
    package let isActive: Bool?
}

/// Something that could not be looked at.
package struct Unproved: Sendable, Equatable, Codable {
    package enum Subject: String, Sendable, Codable {
        /// That each page is what was written.
        case pages
        /// That tables and indexes agree, and rows refer to rows that are there.
        case tables
        /// Schema, users, and what an import would lead to.
        case schema
        /// Which media belong to messages, and that their tags hold.
        case media
    }

    package enum Reason: String, Sendable, Codable {
        case noPassphrase, wrongPassphrase
        /// Something before it is damaged or missing.
        case damaged
        /// Only encrypted content carries a proof beside the zip's checksum.
        case notEncrypted
        /// It is nothing that this program knows.
        case unsupported
    }

    package let subject: Subject
    package let reason: Reason
    /// Nil for both.
    package let database: AccountDatabase?

    init(_ subject: Subject, _ reason: Reason, _ database: AccountDatabase?) {
        self.subject = subject
        self.reason = reason
        self.database = database
    }
}
