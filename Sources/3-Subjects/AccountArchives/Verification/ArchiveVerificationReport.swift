import SystemPackage
public import ValiseAccounts
public import ValiseArchives
import ValiseEncoding
public import ValiseFailures
import ValiseFiles
public import ValiseMaintenance
public import ValiseMedia

/// What a verification of an archive found. Its JSON is this type's own.
public struct ArchiveVerificationReport: Sendable, Equatable, Codable {
    /// All in a word.
    public enum Verdict: String, Sendable, Codable {
        /// Nothing is wrong; what an unencrypted account cannot prove is in ``ArchiveVerificationReport/notProved``.
        case good
        /// The zip is whole, and without the passphrase nothing tells whether the databases are.
        case unproved
        /// Both databases are good. Media are missing, damaged, or not as the messages say; or another entry is
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
    public let archive: String
    /// In bytes.
    public let size: Int64
    /// When the archive was last modified, in UTC.
    public let modified: String
    public internal(set) var verdict = Verdict.good
    public internal(set) var structure = StructureFindings()
    /// Nil where the structure is broken.
    public internal(set) var contents: ContentsFindings?
    /// Databases that the archive does not have.
    public internal(set) var missing: [AccountDatabase] = []
    /// Nil where it could not be reached.
    public internal(set) var chat: DatabaseFindings?
    /// Nil where it could not be reached.
    public internal(set) var agent: DatabaseFindings?
    /// Nil where not both databases could be read.
    public internal(set) var agreement: DatabaseAgreement?
    /// Nil where it could not be read.
    public internal(set) var chatSchema: SchemaStatus?
    /// Nil where it could not be read.
    public internal(set) var agentSchema: SchemaStatus?
    /// Nil where they could not be read.
    public internal(set) var users: [ArchivedUser]?
    /// Nil where the chat database could not be read.
    public internal(set) var media: MediaAuditReport?
    public internal(set) var importOutlook = ImportOutlook.notKnown
    /// What could not be looked at, and why.
    public internal(set) var notProved: [Unproved] = []
    /// How long it took.
    public internal(set) var seconds = 0.0

    init(_ archive: FilePath, _ attributes: FileAttributes) {
        self.archive = archive.string
        size = attributes.size
        modified = UTCTime(seconds: attributes.modificationTime).isoText
    }

    /// Both databases by name, as far as they could be reached.
    public var databases: [(AccountDatabase, DatabaseFindings)] {
        [(AccountDatabase.chat, chat), (.agent, agent)].compactMap { name, found in found.map { (name, $0) } }
    }

    /// Both schemas by name, as far as they could be read.
    public var schemas: [(AccountDatabase, SchemaStatus)] {
        [(AccountDatabase.chat, chatSchema), (.agent, agentSchema)].compactMap { name, found in
            found.map { (name, $0) }
        }
    }
}

/// Whether the parts of the zip file fit together.
public struct StructureFindings: Sendable, Equatable, Codable {
    /// How many entries there are, folders included.
    public internal(set) var entries = 0
    /// In bytes.
    public internal(set) var unpackedSize: Int64 = 0
    /// Files that are no part of an account: the first thousand. An import leaves them out.
    public internal(set) var foreign: [String] = []
    /// How many there are.
    public internal(set) var foreignCount = 0
    /// What lies in the file and is in no entry that the directory names: the first thousand. An import refuses that.
    public internal(set) var hidden: [ZipHiddenRecord] = []
    /// How many there are.
    public internal(set) var hiddenCount = 0
    /// Entries whose two headers have different flags that change nothing: the first thousand.
    public internal(set) var flagDifferences: [String] = []
    /// How many there are.
    public internal(set) var flagDifferenceCount = 0
    /// Why the archive is refused; nil where it is not. Nothing else is looked at then.
    public internal(set) var refusal: EntryProblem?
    /// Whether it is refused for something that is no damage but not supported.
    public internal(set) var isUnsupported = false
}

/// What the checksums of the entries say.
public struct ContentsFindings: Sendable, Equatable, Codable {
    /// How many files were unpacked and compared with their checksum.
    public internal(set) var files = 0
    /// In bytes, unpacked.
    public internal(set) var bytes: Int64 = 0
    /// The first thousand that are not what their checksums say.
    public internal(set) var problems: [EntryProblem] = []
    /// How many there are.
    public internal(set) var problemCount = 0
    /// Whether a database is among them.
    public internal(set) var hasDatabaseProblem = false
}

/// What is wrong with an entry, or with the zip file as a whole.
public struct EntryProblem: Sendable, Equatable, Codable {
    /// Nil for the file as a whole.
    public let entry: String?
    /// In a word, such as `checksum`.
    public let defect: String
    /// One sentence for the user.
    public let message: Remark
}

/// A user of an account.
public struct ArchivedUser: Sendable, Equatable, Codable {
    /// Nil for a hidden profile: whoever reads the report need not know of it more than that it is there.
    public let name: String?
    /// Whether it is the one that the app shows first.
    public let isActive: Bool
}

/// Something that could not be looked at.
public struct Unproved: Sendable, Equatable, Codable {
    public enum Subject: String, Sendable, Codable {
        /// That each page is what was written.
        case pages
        /// That tables and indexes agree, and rows refer to rows that are there.
        case tables
        /// Schema, users, and what an import would lead to.
        case schema
        /// Which media belong to messages, and that their tags hold.
        case media
    }

    public enum Reason: String, Sendable, Codable {
        case noPassphrase, wrongPassphrase
        /// Something before it is damaged or missing.
        case damaged
        /// Only encrypted content carries a proof beside the zip's checksum.
        case notEncrypted
        /// It is nothing that this program knows.
        case unsupported
    }

    public let subject: Subject
    public let reason: Reason
    /// Nil for both.
    public let database: AccountDatabase?

    init(_ subject: Subject, _ reason: Reason, _ database: AccountDatabase?) {
        self.subject = subject
        self.reason = reason
        self.database = database
    }
}
