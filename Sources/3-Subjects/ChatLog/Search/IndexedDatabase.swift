package import SystemPackage
package import ValiseAccounts
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
package import ValiseFiles

/// The file of a chat database, for which files of our own are kept, and by what one tells whether anybody has written to it.
package struct IndexedDatabase: Sendable {
    /// Links resolved.
    let path: FilePath
    /// What the system says of the file and those beside it; nil where somebody may just be writing.
    let mark: String?

    /// What files of our own are called by, whatever the passphrase is: the same for all links to the database.
    package var identifier: String {
        Hexadecimal.encode(SHA256.hash(Array(path.string.utf8)).prefix(Self.identifierSize))
    }

    private static let identifierSize = 16

    /// In nanoseconds. The times of files are as exact as the ticks of a clock: what is written within one does not show.
    private static let tick: Int64 = 100_000_000
    /// Some file systems count in pairs of seconds.
    private static let coarseTick: Int64 = 2_100_000_000
    private static let second: Int64 = 1_000_000_000

    /// Looks at a database before it is opened, so that what is read then is not older.
    ///
    /// - Parameters:
    ///   - place: of the account.
    ///   - now: nanoseconds since 1970.
    ///   - fileSystem: where it is.
    /// - Throws: `FileError`.
    package init(_ place: AccountPlace, now: Int64, fileSystem: FileSystem = FileSystem()) throws {
        let named: FilePath =
            switch place {
            case .archive(let archive): archive
            case .folder(let location): location.path(of: .chat)
            }
        try self.init(at: named, now: now, fileSystem: fileSystem)
    }

    /// Looks at a database of its own, or what has it.
    /// - Parameters:
    ///   - named: its file.
    ///   - now: nanoseconds since 1970.
    ///   - fileSystem: where it is.
    /// - Throws: `FileError`.
    package init(at named: FilePath, now: Int64, fileSystem: FileSystem = FileSystem()) throws {
        let path = try fileSystem.resolve(named)
        self.path = path
        var words: [String] = []
        var isQuiet = true
        for suffix in ["", "-journal", "-wal"] {
            guard let file = try fileSystem.attributes(of: path.appendingSuffix(suffix)) else { continue }
            words.append(
                "\(suffix) \(file.inode) \(file.size) \(file.modificationTime).\(file.modificationNanoseconds)"
            )
            let tick = file.modificationNanoseconds == 0 ? Self.coarseTick : Self.tick
            let (time, overflows) = file.modificationTime.multipliedReportingOverflow(by: Self.second)
            if overflows || now &- (time &+ file.modificationNanoseconds) < tick { isQuiet = false }
        }
        mark = isQuiet ? words.joined(separator: ",") : nil
    }
}
