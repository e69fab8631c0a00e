import ValiseAccounts
import ValiseFiles

/// What the databases of an account were before a change of it began, by which a later run knows whether the change is in
/// place.
struct DatabaseMarks: Codable, Sendable, Equatable {
    let files: [JobFileMark?]
    /// Those of the marks, which jobs of older versions have here alone.
    private let heads: [String]
    /// Whether a journal or log was beside one, which is folded in before the change begins.
    private let neededFolding: Bool

    /// - Throws: `FileError`.
    init(_ location: AccountLocation, fileSystem: FileSystem = FileSystem()) throws {
        let paths = AccountDatabase.allCases.map { location.path(of: $0) }
        files = try paths.map { try JobFileMark(database: $0, fileSystem: fileSystem) }
        heads = files.map { $0?.head ?? "" }
        let account = AccountReader(asItIs: location, fileSystem: fileSystem)
        neededFolding = try AccountDatabase.allCases.contains { try account.needsFolding($0) }
    }

    /// How a change ended that left no other trace.
    ///
    /// - Parameter now: after it.
    func ending(of change: AccountChangeKind, now: DatabaseMarks) -> JobEnding {
        switch change {
        case .passphrase, .cipherSettings: return heads == now.heads ? .rolledBack : .completed
        case .content:
            if files.map({ $0?.inode }) == now.files.map({ $0?.inode }) { return .rolledBack }
            // Folding replaces the files too.
            return neededFolding ? .unknown : .completed
        }
    }
}

/// What a change of an account does to its databases.
enum AccountChangeKind: String, Codable, Sendable {
    /// Another passphrase, or a first one, or none any more.
    case passphrase
    /// Other settings of the encryption, under the same passphrase.
    case cipherSettings
    /// What is in them.
    case content
}
