import SystemPackage
import ValiseAccounts
import ValiseEncoding
import ValiseFiles
import ValiseTransfers

/// Which file was in a place before an operation began, by which a later run knows whether another one is there now.
package struct JobFileMark: Codable, Sendable, Equatable {
    let inode: UInt64
    /// In bytes.
    let size: Int64
    /// In seconds since 1970.
    let modified: Int64
    private let modifiedNanoseconds: Int64
    /// The first bytes of a database in hexadecimal: the salt, where it is encrypted. A change of the passphrase makes a new one,
    /// and nothing else does. Nil for other files, and in jobs of older versions.
    let head: String?

    private static let headSize = 16

    /// - Returns: nil where nothing is there.
    init?(_ path: FilePath, fileSystem: FileSystem = FileSystem()) throws(FileError) {
        guard let found = try fileSystem.attributes(of: path) else { return nil }
        self.init(found, head: nil)
    }

    /// The same of a database.
    init?(database path: FilePath, fileSystem: FileSystem = FileSystem()) throws(FileError) {
        guard let found = try fileSystem.attributes(of: path) else { return nil }
        var head: String?
        if found.kind == .regular {
            let bytes = try fileSystem.openForReading(path).bytes(at: 0, count: Self.headSize)
            head = Hexadecimal.encode(bytes)
        }
        self.init(found, head: head)
    }

    private init(_ found: FileAttributes, head: String?) {
        self.init(
            found.inode, found.size, (found.modificationTime, found.modificationNanoseconds), head: head)
    }

    private init(
        _ inode: UInt64, _ size: Int64, _ modified: (seconds: Int64, nanoseconds: Int64), head: String? = nil
    ) {
        self.inode = inode
        self.size = size
        self.modified = modified.seconds
        modifiedNanoseconds = modified.nanoseconds
        self.head = head
    }

    /// That of the source of an upload, as its journal has it.
    init(_ source: SourceIdentity) {
        self.init(source.inode, source.size, (source.modificationTime, source.modificationNanoseconds))
    }

    /// That of a replaced database, as the journal of an account or the record of a move has it.
    init(_ stamp: FileStamp) {
        self.init(stamp.inode, stamp.size, (stamp.modificationTime, stamp.modificationNanoseconds))
    }

    /// Whether this is another file than the one before, instead of that one after it was used: neither is it the same file nor
    /// does it have the same content, as far as a mark tells. Databases that are not encrypted all begin alike.
    func isAnother(than previous: JobFileMark) -> Bool {
        guard inode != previous.inode else { return false }
        if let head, let other = previous.head { return head != other }
        return (size, modified, modifiedNanoseconds)
            != (previous.size, previous.modified, previous.modifiedNanoseconds)
    }
}

/// A place and the file that was there.
package struct MarkedFile: Codable, Sendable, Equatable {
    package let path: JobPath
    let mark: JobFileMark

    init(_ path: JobPath, _ mark: JobFileMark) {
        self.path = path
        self.mark = mark
    }

    /// Whether another file is there now. Where none is, the operation itself says what is missing.
    package var isReplaced: Bool {
        guard let now = try? present() else { return false }
        return now.isAnother(than: mark)
    }

    /// Of what is there now, in the same way.
    private func present() throws(FileError) -> JobFileMark? {
        if mark.head != nil { return try JobFileMark(database: path.path) }
        return try JobFileMark(path.resolved)
    }
}

/// What an operation reads or changes where it is, and does not make: another one in its place is not its subject any more.
enum JobSource: Sendable {
    case account(JobAccount)
    case file(JobPath)

    /// Which files are there now. What is missing, or cannot be looked at, has no mark.
    var marks: [MarkedFile] {
        switch self {
        case .account(let account):
            let location = account.location
            return location.marked(
                AccountDatabase.allCases.map { try? JobFileMark(database: location.path(of: $0)) })
        case .file(let path): return (try? JobFileMark(path.resolved)).map { [MarkedFile(path, $0)] } ?? []
        }
    }
}

extension JobPath {
    /// A file that is sent may be given by a link to it.
    fileprivate var resolved: FilePath { (try? FileSystem().resolve(path)) ?? path }
}

extension AccountLocation {
    /// - Parameter marks: one for each database.
    func marked(_ marks: [JobFileMark?]) -> [MarkedFile] {
        zip(AccountDatabase.allCases, marks).compactMap { database, mark in
            mark.map { MarkedFile(JobPath(path(of: database)), $0) }
        }
    }
}
