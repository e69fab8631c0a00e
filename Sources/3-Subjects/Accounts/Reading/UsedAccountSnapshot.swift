import Synchronization
import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// Both databases of an account that a program is using, as of one moment.
///
/// They are copied while nobody can commit, and let go at once: a program that cannot commit gives up after some seconds.
/// Where there is no place for copies, they are read where they are, and the program has to wait.
final class UsedAccountSnapshot: Sendable {
    private let folder: DirectoryLock
    private let copied: [AccountDatabase: FilePath]
    /// Those that are read where they are.
    private let inPlace: Set<AccountDatabase>
    private let held: Mutex<[DatabaseReadLock]>

    /// How an account is taken.
    struct Terms {
        /// Whether it may be an account that was moved away.
        var takesRetired = false
        /// How long a moment is waited for in which nobody commits. A transaction takes milliseconds.
        var patience: Duration = .seconds(10)
        /// How large both databases are together, in bytes, that are copied although they could be read where they are.
        var largestCopy = Int64.max
    }

    /// What has to stay free beside the copies, in bytes.
    private static let margin: Int64 = 64 << 20

    /// - Throws: ``AccountError`` with `inUse` where another run of Valise changes the account, or a program does not stop
    ///   writing; ``FileError``.
    init(
        _ location: AccountLocation, _ copies: PrivateCopies, _ fileSystem: FileSystem,
        terms: Terms = Terms()
    ) throws {
        if !terms.takesRetired { try RetiredMark.refuse(location, fileSystem: fileSystem) }
        folder = try AccountLock.lockFolder(location, .shared, fileSystem)
        let moment = try Self.moment(location, terms.patience, fileSystem)
        if try Self.copy(moment, copies, upTo: terms.largestCopy) {
            copied = try Dictionary(
                uniqueKeysWithValues: moment.map { ($0.database, try copies.path(of: $0.database)) })
            inPlace = []
            held = Mutex([])
        } else {
            copied = [:]
            inPlace = Set(moment.map(\.database))
            held = Mutex(moment.map(\.lock))
        }
    }

    /// Where a database is to be read; nil for its own place.
    func path(of database: AccountDatabase) -> FilePath? { copied[database] }

    /// Whether a database is read where it is.
    func isReadInPlace(_ database: AccountDatabase) -> Bool { inPlace.contains(database) }

    /// Whether programs have to wait because a database is read where it is.
    var holdsDatabases: Bool { held.withLock { !$0.isEmpty } }

    /// Lets programs write again. What was read where it is must not be read any more.
    func releaseDatabases() { held.withLock { $0.removeAll() } }

    // MARK: One moment

    /// One database at the moment.
    private struct Part {
        let database: AccountDatabase
        let lock: DatabaseReadLock
        let sides: [DatabaseReadLock.Side]
    }

    private static func moment(
        _ location: AccountLocation, _ patience: Duration, _ fileSystem: FileSystem
    ) throws -> [Part] {
        let end = ContinuousClock.now + patience
        while true {
            if let parts = try parts(location, fileSystem) { return parts }
            guard ContinuousClock.now < end else {
                throw AccountError(
                    .inUse,
                    "a program keeps writing to this account. Nothing was changed.",
                    location.directory, remedy: .tryLater)
            }
            // Two that wait for each other's moment must not go on in step.
            FileSystem.wait(.milliseconds(.random(in: 1...9)))
        }
    }

    /// - Returns: nil where somebody commits at this moment.
    private static func parts(_ location: AccountLocation, _ fileSystem: FileSystem) throws -> [Part]? {
        var locks: [(database: AccountDatabase, lock: DatabaseReadLock)] = []
        for database in AccountDatabase.allCases {
            let path = location.path(of: database)
            guard try fileSystem.exists(path) else { continue }
            guard let lock = try DatabaseReadLock(path, fileSystem) else { return nil }
            locks.append((database, lock))
        }
        // Logs go on being written. What both were while neither changed is one moment.
        let sides = try locks.map { try $0.lock.sides() }
        guard try sides == locks.map({ try $0.lock.sides() }) else { return nil }
        var parts: [Part] = []
        for (lock, sides) in zip(locks, sides) {
            guard let sides else { return nil }
            parts.append(Part(database: lock.database, lock: lock.lock, sides: sides))
        }
        return parts
    }

    /// - Returns: false where they are to be read where they are.
    private static func copy(
        _ parts: [Part], _ copies: PrivateCopies, upTo largest: Int64
    ) throws -> Bool {
        let mayStay = parts.allSatisfy(\.sides.isEmpty)
        if mayStay, parts.reduce(0, { $0 + $1.lock.size }) > largest { return false }
        do {
            try copy(parts, copies)
            return true
        } catch let error as FileError where [.denied, .noSpace].contains(error.code) && mayStay {
            return false
        }
    }

    private static func copy(_ parts: [Part], _ copies: PrivateCopies) throws {
        let needed = parts.reduce(margin) { $0 + $1.lock.size }
        let free = try copies.freeSpace()
        for part in parts {
            guard free >= needed else {
                throw FileError(
                    .noSpace,
                    "the private copies need \(Count.bytes(needed)), but only \(Count.bytes(free)) are free",
                    part.lock.path)
            }
            try copies.copy(part.lock.path, of: part.database)
            for side in part.sides {
                switch side {
                case .hotJournal: try copies.copy(part.lock.path, of: part.database, suffix: "-journal")
                case .log(let length):
                    try copies.copy(part.lock.path, of: part.database, suffix: "-wal", upTo: length)
                }
            }
        }
    }
}
