package import ValiseAccounts
package import ValiseFailures

/// What was, or would be, done to the media of an account. Its JSON is this type's own.
package struct MediaConversionReport: Sendable, Codable {
    /// Why a file was left unchanged.
    package enum Reason: String, Sendable, Codable {
        /// Nothing is where the row says.
        case missing
        /// The row names a path outside of the account.
        case elsewhere
        /// It is a symbolic link.
        case link
        /// It is no regular file.
        case notAFile
        /// Its name leads out of the folder.
        case impossibleName
        /// It has not the size that the row says.
        case otherSize
        /// Several rows name it, so that one key would have to fit them all.
        case namedTwice
        /// It has other names (hard links), under which the previous content would stay.
        case hardLinked
        /// The row's key is incomplete.
        case brokenKey
        /// The tag does not fit: a foreign key, or a damaged file.
        case damaged
        /// It is being sent: the agent reads it as it is.
        case beingSent
        /// It was written to while it was converted.
        case changed
        /// It cannot be read.
        case unreadable
    }

    /// A file that was left unchanged.
    package struct Left: Sendable, Codable {
        package let fileID: Int64
        /// As the database has it.
        package let path: String
        /// Why it was left.
        package let reason: Reason
        /// One sentence.
        package let message: Remark

        private enum CodingKeys: String, CodingKey {
            case path, reason, message
            case fileID = "fileId"
        }
    }

    package let direction: MediaDirection
    /// How many files were converted; in a plan, how many would be.
    package internal(set) var files = 0
    /// Their content in bytes.
    package internal(set) var bytes: Int64 = 0
    /// Files that were already as they should be.
    package internal(set) var already = 0
    /// Rows whose file is not here yet: invitations, transfers on their way.
    package internal(set) var waiting = 0
    /// The number of files left unchanged.
    package internal(set) var leftCount = 0
    /// The first thousand of them.
    package internal(set) var left: [Left] = []
    /// How many operations it takes, each of which is done whole or not at all.
    package internal(set) var operations = 0
    /// The most bytes that are needed beside the account at a time.
    package internal(set) var spaceNeeded: Int64 = 0
    /// False where the keys lie in a database that anyone can read.
    package internal(set) var isDatabaseEncrypted = true
    package internal(set) var seconds = 0.0
    /// What an interrupted run had left; nil for nothing.
    package internal(set) var recovery: AccountRecovery?

    /// Of the files that are left: each is told of once.
    private var leftIDs: Set<Int64> = []

    private enum CodingKeys: String, CodingKey {
        case direction, files, bytes, already, waiting, leftCount, left, spaceNeeded, isDatabaseEncrypted
        case seconds
        case operations = "acts"
    }

    private static let mostListed = 1000

    init(_ direction: MediaDirection) {
        self.direction = direction
    }

    /// Notes a file that is left, unless it was noted before.
    mutating func leave(_ fileID: Int64, _ path: String, _ reason: Reason, _ message: Remark) {
        guard leftIDs.insert(fileID).inserted else { return }
        leftCount += 1
        guard left.count < Self.mostListed else { return }
        left.append(Left(fileID: fileID, path: path, reason: reason, message: message))
    }
}
