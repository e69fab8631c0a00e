import ValiseDatabase

/// What an export did, or would do.
public struct MediaExportReport: Sendable, Codable {
    /// Why a file was left out.
    package enum Reason: String, Sendable, Codable, CaseIterable {
        /// It is not there.
        case missing
        /// It lies outside of the account.
        case elsewhere
        /// A symbolic link, a folder or a device is in its place.
        case noFile
        /// No file system takes the name that the database has.
        case impossibleName
        /// It has another size than the message says.
        case wrongSize
        /// Its tag does not fit: another key, or changed bytes.
        case damaged
        /// The database has half of a key.
        case brokenKey
        /// The system refused to read it.
        case unreadable
    }

    /// A file that was left out.
    package struct Problem: Sendable, Codable {
        /// Why it was not exported.
        package let reason: Reason
        package let fileId: Int64
        /// As the database has it.
        package let path: String
        /// A message for the user.
        package let message: String
    }

    /// The program that was using the account; nil where none was.
    package internal(set) var inUse: String?
    /// Whether nothing was written.
    package internal(set) var isDryRun = false
    /// How many files the selection means, those with it that have not arrived.
    package internal(set) var selected = 0
    /// How many were not received (whole): no problem.
    package internal(set) var notReceived = 0
    /// How many were there from a previous run.
    package internal(set) var unchanged = 0
    /// The number of files copied, including duplicates; in a dry run, the number that would be copied.
    public internal(set) var copied = 0
    /// The bytes of these.
    public internal(set) var copiedSize: Int64 = 0
    /// How many have the content of another one and are links to it, or only in the manifest.
    package internal(set) var duplicates = 0
    /// How many were there without a line in the manifest, and have one now.
    package internal(set) var adopted = 0
    /// The number of files left out.
    public internal(set) var problemCount = 0
    /// The same by reason.
    package internal(set) var problemCounts: [String: Int] = [:]
    /// The first thousand.
    package internal(set) var problems: [Problem] = []
    package internal(set) var seconds: Double = 0

    private static let mostListed = 1000

    init() {}

    /// Whether nothing was left out.
    package var isComplete: Bool { problemCount == 0 }

    mutating func add(_ problem: Problem) {
        problemCount += 1
        problemCounts[problem.reason.rawValue, default: 0] += 1
        if problems.count < Self.mostListed { problems.append(problem) }
    }
}

extension MediaExportReport.Problem {
    /// A row that is not as its schema says: nobody knows which file it means.
    init(damagedRow error: DatabaseError) {
        self.init(reason: .damaged, fileId: 0, path: "", message: error.message)
    }
}
