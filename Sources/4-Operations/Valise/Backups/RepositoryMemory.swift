package import SystemPackage

/// What this user's state folder remembers of a repository, so that it is noticed when snapshots vanish, and known when the last
/// proof was.
package struct RepositoryMemory: Codable, Sendable, Equatable {
    /// Something that was done with a repository.
    package struct Event: Codable, Sendable, Equatable {
        /// In seconds since 1970.
        package var time: Int64
        /// The snapshot that it was about, in hexadecimal digits.
        package var snapshot: String?
        /// Whether all was well.
        package var hasSucceeded: Bool
        /// How much of the data was read, such as `all`, `1/7`; nil where none was.
        package var extent: String?

        package init(time: Int64, snapshot: String? = nil, hasSucceeded: Bool, extent: String? = nil) {
            self.time = time
            self.snapshot = snapshot
            self.hasSucceeded = hasSucceeded
            self.extent = extent
        }
    }

    /// A run that made no snapshot.
    package struct Failure: Codable, Sendable, Equatable {
        /// In seconds since 1970.
        package var time: Int64
        /// One sentence.
        package var message: String
    }

    /// What was done for one account.
    package struct Account: Codable, Sendable, Equatable {
        package var directory: String
        package var prefix: String
        /// The last one that made a snapshot: not a good one where files were missing in it.
        package var lastRun: Event?
        /// Why the last try made none; nil where it did.
        package var lastFailure: Failure?
        package var lastDrill: Event?

        package init(directory: String, prefix: String) {
            self.directory = directory
            self.prefix = prefix
        }
    }

    /// Of this record.
    package var version = 1
    /// Of the repository, in hexadecimal digits.
    package let repository: String
    /// As the user wrote it last.
    package var place: String
    /// The snapshots that were there when it was last looked at.
    package var snapshots: Set<String> = []
    /// Those that were gone without having been forgotten here, until the user has taken notice, and when that was seen.
    package var vanished: [String: Int64] = [:]
    package var accounts: [Account] = []
    /// The last time that the structure was checked, with or without data.
    package var lastVerification: Event?
    /// When all data had been read, at once or in parts.
    package var lastCompleteReading: Int64?
    /// Which of how many parts were read since then, and when: the number of a part to the time.
    package var partsRead: [Int: Int64] = [:]
    /// How many parts there are.
    package var partCount: Int?
    /// Nil unless one has begun and is not known to be complete.
    package var passwordChange: PasswordChange?
    /// When a run began whose end is not known, in seconds since 1970; nil for none.
    package var begunRun: Int64?
    /// Packs that no index named, and when a prune saw them first: of a run that was killed, or of a program that takes no locks
    /// and is at work. Nil for none.
    package var unindexedPacks: [String: Int64]?

    package init(repository: String, place: String) {
        self.repository = repository
        self.place = place
    }

    /// Changes what is remembered of an account, which is new here or not.
    package mutating func update(_ directory: FilePath, prefix: String, _ change: (inout Account) -> Void) {
        let number = accounts.firstIndex { $0.directory == directory.string && $0.prefix == prefix }
        if number == nil { accounts.append(Account(directory: directory.string, prefix: prefix)) }
        change(&accounts[number ?? accounts.count - 1])
    }
}
