public import ValiseAccounts

/// The result of an account check. Its JSON is defined by this type.
public struct AccountCheckReport: Sendable, Equatable, Codable {
    /// The result in one word.
    public enum Verdict: String, Sendable, Codable {
        /// Nothing is wrong.
        case intact = "whole"
        /// The databases are intact; files that messages refer to are missing or have another size.
        case mediaProblems
        /// A database is damaged, or the two do not belong together.
        case damaged
        /// The passphrase opens neither database.
        case wrongPassphrase
    }

    /// The folder or the archive.
    package let path: String
    /// The overall result.
    public let verdict: Verdict
    /// Whether the walk through tables and indexes was left out.
    package let isQuick: Bool
    /// The program that was using the account; nil where none was.
    public let inUse: String?
    package let chat: DatabaseFindings
    package let agent: DatabaseFindings
    /// Nil unless both databases could be read.
    package let agreement: DatabaseAgreement?
    /// Nil where the chat database could not be read.
    public let media: MediaFindings?
    /// How long it took.
    package let seconds: Double

    /// Both databases by name.
    public var databases: [(AccountDatabase, DatabaseFindings)] { [(.chat, chat), (.agent, agent)] }

    /// The databases that have no file.
    package var missing: [AccountDatabase] { databases.filter(\.1.isMissing).map(\.0) }

    /// Whether a salvage can recover what is damaged. It brings back no database without a file, and no program can use an
    /// agent database alone.
    package var isSalvageable: Bool { missing.isEmpty || !chat.isMissing && !chat.isIntact }

    /// How many rows refer to missing rows, where that alone is wrong; nil otherwise.
    package var danglingRows: Int64? {
        guard verdict == .damaged, agreement?.isIntact ?? true,
            databases.allSatisfy({ $0.1.isIntact || $0.1.danglingRows != nil })
        else { return nil }
        return databases.reduce(0) { $0 + ($1.1.danglingRows ?? 0) }
    }
}

/// The findings about one database.
public struct DatabaseFindings: Sendable, Equatable, Codable {
    /// How the bytes lie.
    package enum Form: String, Sendable, Codable {
        case encrypted, unknown
        case unencrypted = "plain"
    }

    /// What the passphrase did.
    package enum Key: String, Sendable, Codable {
        case right, wrong
        /// The database is not encrypted.
        case notNeeded
        /// There was none, and the database asks for one.
        case notGiven
    }

    /// The file, or the entry of an archive.
    public let file: String
    package internal(set) var form: Form
    package internal(set) var key: Key
    /// In bytes.
    package let size: Int64
    /// In bytes; nil where it is not known.
    package internal(set) var pageSize: Int?
    /// How many whole pages there are; nil where their size is not known.
    package internal(set) var pages: UInt32?
    /// The version of SQLCipher whose defaults the file has; nil for settings of one's own or no encryption.
    package internal(set) var cipherFormat: Int?
    /// How many pages' HMACs were checked.
    package internal(set) var checkedHMACs: UInt32 = 0
    /// Whether tables and indexes were walked through.
    package internal(set) var isWalked = false
    /// Whether a journal that a crashed program left was folded in, on a private copy.
    package internal(set) var hadJournal = false
    /// The first thousand.
    public internal(set) var problems: [DatabaseProblem] = []
    /// How many there are.
    package internal(set) var problemCount = 0

    private enum CodingKeys: String, CodingKey {
        case file, form, key, size, pageSize, pages, cipherFormat, isWalked, hadJournal, problems,
            problemCount
        case checkedHMACs = "checkedHmacs"
    }

    static let mostProblems = 1000

    /// Whether nothing is wrong with it, as far as it was checked.
    public var isIntact: Bool { problemCount == 0 && key != .wrong }

    /// How many rows refer to missing rows, where that alone is wrong with it; nil otherwise.
    package var danglingRows: Int64? {
        // A problem that is not listed may be any.
        guard !isIntact, key != .wrong, problemCount == problems.count,
            problems.allSatisfy({ $0.kind == .reference })
        else { return nil }
        return problems.reduce(0) { $0 + ($1.rows ?? 0) }
    }

    /// Whether there is no file.
    package var isMissing: Bool { problems.contains { $0.kind == .missing } }

    mutating func add(_ problem: DatabaseProblem) {
        problemCount += 1
        if problems.count < Self.mostProblems { problems.append(problem) }
    }
}

/// One problem of a database.
public struct DatabaseProblem: Sendable, Equatable, Codable {
    /// What is wrong.
    public enum Kind: String, Sendable, Codable {
        /// A page was changed after it was written.
        case page
        /// The file ends too early, or inside a page.
        case cutOff
        /// It is not a database, or its beginning is lost.
        case notADatabase
        /// SQLite's own check found trees, indexes or values that contradict each other.
        case structure
        /// A row refers to a missing row.
        case reference
        /// It has a journal that cannot be merged.
        case journal
        /// There is no file.
        case missing
        /// It cannot be read for another reason.
        case unreadable
    }

    /// What became of a page.
    package enum PageState: String, Sendable, Codable {
        /// Some of its bytes are others.
        case altered
        /// All of its bytes are zero.
        case zeros
        /// It belongs to another place in this file.
        case moved
        /// It belongs to the account's other database.
        case foreign
    }

    /// What is wrong.
    public let kind: Kind
    /// The text for the user.
    public let message: String
    /// The number of the page, from 1.
    package var page: UInt32?
    /// Where the page begins in the file, in bytes.
    package var offset: Int64?
    package var state: PageState?
    /// Where the page belongs, if it was moved.
    package var belongsTo: UInt32?
    /// The table or index; nil where it is not known.
    package var table: String?
    /// How many rows it is about.
    package var rows: Int64?

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
