/// What an audit of an account's media found. Its JSON is this type's own.
public struct MediaAuditReport: Sendable, Equatable, Codable {
    /// How many, and how large.
    package struct Tally: Sendable, Equatable, Codable {
        package var count = 0
        /// In bytes: of the file, or of what is missing.
        package var bytes: Int64 = 0

        package init() {}

        /// Adds one of this size.
        package mutating func add(_ size: Int64) {
            count += 1
            bytes = bytes.addingCapped(max(0, size))
        }
    }

    /// One row, or one file, that is not in order.
    public struct Problem: Sendable, Equatable, Codable {
        /// As in the database; for a file without a row, its path in the media folder.
        public let path: String
        /// The row of the table `files`; nil for a file that no row speaks of.
        package let fileID: Int64?
        /// The message; nil where there is none.
        public let itemID: Int64?
        /// The result of comparing the file with the message.
        public let verdict: MediaVerdict
        /// One sentence for the user.
        public let message: String
        /// The row whose key opens the file, or that names the same one.
        package let otherFileID: Int64?

        private enum CodingKeys: String, CodingKey {
            case path, verdict, message
            case fileID = "fileId"
            case itemID = "itemId"
            case otherFileID = "otherFileId"
        }
    }

    /// The folder or the archive.
    package let path: String
    /// The program that was using the account; nil where none was.
    package internal(set) var inUse: String?
    /// How many rows speak of files that should be here.
    package internal(set) var references = 0
    /// How many files are in the media folder itself, or in the archive.
    package internal(set) var files = 0
    /// Files whose tags hold.
    package internal(set) var verified = Tally()
    /// Every row and every file that no row speaks of, once.
    package internal(set) var counts: [MediaVerdict: Tally] = [:]
    /// The first thousand.
    public internal(set) var problems: [Problem] = []
    /// The number of problems.
    public internal(set) var problemCount = 0
    /// How long it took.
    package internal(set) var seconds = 0.0

    static let mostProblems = 1000

    init(path: String) {
        self.path = path
    }

    /// How many rows or files have a verdict.
    package func count(_ verdict: MediaVerdict) -> Int { counts[verdict]?.count ?? 0 }

    /// Whether every row and every file is in order.
    package var isClean: Bool { problemCount == 0 }

    /// Whether content is lost, or cannot be read with what the rows say.
    public var hasDamage: Bool { counts.contains { $0.key.isDamage && $0.value.count > 0 } }

    mutating func add(_ judgement: MediaJudgement, of reference: MediaReference) {
        references += 1
        counts[judgement.verdict, default: Tally()].add(judgement.size)
        if judgement.verdict == .ok { return }
        add(
            Problem(
                path: reference.filePath, fileID: reference.fileID, itemID: reference.itemID,
                verdict: judgement.verdict, message: judgement.message, otherFileID: judgement.other))
    }

    /// A row that is not as its schema says: nobody knows which file it means.
    mutating func add(damagedRow message: String) {
        references += 1
        counts[.unreadable, default: Tally()].add(0)
        add(
            Problem(
                path: "", fileID: nil, itemID: nil, verdict: .unreadable, message: message, otherFileID: nil))
    }

    mutating func add(unreferenced name: String, size: Int64) {
        counts[.unreferenced, default: Tally()].add(size)
        add(
            Problem(
                path: name, fileID: nil, itemID: nil, verdict: .unreferenced,
                message: "no message refers to this file", otherFileID: nil))
    }

    private mutating func add(_ problem: Problem) {
        problemCount += 1
        if problems.count < Self.mostProblems { problems.append(problem) }
    }
}

extension Int64 {
    /// Sizes that anybody may claim: the sum stops at the largest number.
    package func addingCapped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

/// A verdict with its reason.
struct MediaJudgement: Equatable {
    let verdict: MediaVerdict
    /// Empty for what is in order.
    let message: String
    /// In bytes.
    let size: Int64
    let other: Int64?

    init(_ verdict: MediaVerdict, _ message: String = "", size: Int64, other: Int64? = nil) {
        self.verdict = verdict
        self.message = message
        self.size = size
        self.other = other
    }
}
