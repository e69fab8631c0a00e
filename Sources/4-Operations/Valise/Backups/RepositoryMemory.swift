import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles
package import ValiseStorage

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
        package var isGood: Bool
        /// How much of the data was read, such as `all`, `1/7`; nil where none was.
        package var extent: String?

        package init(time: Int64, snapshot: String? = nil, isGood: Bool, extent: String? = nil) {
            self.time = time
            self.snapshot = snapshot
            self.isGood = isGood
            self.extent = extent
        }
    }

    /// What was done for one account.
    package struct Account: Codable, Sendable, Equatable {
        package var directory: String
        package var prefix: String
        package var lastRun: Event?
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

/// The records of all repositories of a user.
package struct RepositoryMemories: Sendable {
    private let folder: FilePath?

    /// In bytes; a million snapshots are more than anybody has.
    private static let largest = 80 << 20

    /// - Parameter folders: without a folder for states nothing is remembered.
    package init(_ folders: ValiseFolders) { folder = folders.state?.appending("backups") }

    /// All that can be read.
    /// - Throws: `FileError`.
    package func all() throws -> [RepositoryMemory] {
        guard let folder, try FileSystem().exists(folder) else { return [] }
        return try FileSystem().list(folder).compactMap { entry in
            guard let name = entry.name, name.hasSuffix(Self.ending) else { return nil }
            return try? Self.read(folder.appending(name))
        }.sorted { $0.place < $1.place }
    }

    /// What is remembered of a repository; nil for nothing.
    package func memory(of repository: ContentID) throws -> RepositoryMemory? {
        guard let path = path(of: repository), try FileSystem().exists(path) else { return nil }
        return try? Self.read(path)
    }

    /// Changes what is remembered. Several programs may do so at once.
    /// - Throws: `FileError`.
    package func update(
        _ repository: ContentID, at place: RepositoryPlace, _ change: (inout RepositoryMemory) -> Void
    ) throws {
        guard let folder, let path = path(of: repository) else { return }
        try FileSystem().makeDirectories(folder)
        // A machine that cannot write down what it saw has lost nothing.
        let lock = try DirectoryLock.take(folder, .exclusive, patience: .seconds(10))
        defer { extendLifetime(lock) }
        var memory =
            try self.memory(of: repository)
            ?? RepositoryMemory(repository: repository.text, place: place.text)
        memory.place = place.absoluteText
        change(&memory)
        try FileSystem().replace(path, with: JSONText.encodeBytes(memory))
    }

    /// Notes that this user removed snapshots, so that nobody wonders where they are.
    /// - Throws: `FileError`.
    package func forget(
        _ repository: ContentID, at place: RepositoryPlace, _ snapshots: [ContentID]
    ) throws {
        guard !snapshots.isEmpty else { return }
        try update(repository, at: place) { $0.snapshots.subtract(snapshots.map(\.text)) }
    }

    private static let ending = ".json"

    private func path(of repository: ContentID) -> FilePath? {
        folder?.appending(repository.text + Self.ending)
    }

    private static func read(_ path: FilePath) throws -> RepositoryMemory {
        try JSONText.decode(RepositoryMemory.self, from: FileSystem().contents(of: path, limit: largest))
    }
}
