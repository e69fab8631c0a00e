import SystemPackage
import ValiseAccounts
import ValiseEncoding
import ValiseFiles
import ValiseTransfers

/// Which file was in a place before an operation began, by which a later run knows whether another one is there now.
package struct JobFileMark: Codable, Sendable, Equatable {
    private let stamp: FileStamp
    /// The first bytes of a database in hexadecimal: the salt, where it is encrypted. A change of the passphrase makes a new
    /// one, and nothing else does. Nil for other files, and in jobs of older versions.
    let head: String?

    private static let headSize = 16

    /// Jobs have all of it side by side.
    private enum CodingKeys: String, CodingKey {
        case inode, size, modified, modifiedNanoseconds, head

        static let stamp = FileStampKeys<Self>(
            inode: .inode, size: .size, seconds: .modified, nanoseconds: .modifiedNanoseconds)
    }

    /// - Returns: nil where nothing is there.
    init?(_ path: FilePath, fileSystem: FileSystem = FileSystem()) throws(FileError) {
        guard let found = try fileSystem.attributes(of: path) else { return nil }
        self.init(FileStamp(found))
    }

    /// The same of a database.
    init?(database path: FilePath, fileSystem: FileSystem = FileSystem()) throws(FileError) {
        guard let found = try fileSystem.attributes(of: path) else { return nil }
        var head: String?
        if found.kind == .regular {
            let bytes = try fileSystem.openForReading(path).bytes(at: 0, count: Self.headSize)
            head = Hexadecimal.encode(bytes)
        }
        self.init(FileStamp(found), head: head)
    }

    /// Also that of a replaced database, as the journal of an account or the record of a move has it.
    init(_ stamp: FileStamp, head: String? = nil) {
        self.stamp = stamp
        self.head = head
    }

    /// That of the source of an upload, as its journal has it.
    init(_ source: SourceIdentity) {
        self.init(
            FileStamp(
                inode: source.inode, size: source.size, modificationTime: source.modificationTime,
                modificationNanoseconds: source.modificationNanoseconds))
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        stamp = try FileStamp(from: container, CodingKeys.stamp)
        head = try container.decodeIfPresent(String.self, forKey: .head)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try stamp.encode(to: &container, CodingKeys.stamp)
        try container.encodeIfPresent(head, forKey: .head)
    }

    var inode: UInt64 { stamp.inode }
    /// In bytes.
    var size: Int64 { stamp.size }
    /// In seconds since 1970.
    var modified: Int64 { stamp.modificationTime }

    /// Whether this is another file than the one before, instead of that one after it was used: neither is it the same file nor
    /// does it have the same content, as far as a mark tells. Databases that are not encrypted all begin alike.
    func isAnother(than previous: JobFileMark) -> Bool {
        guard inode != previous.inode else { return false }
        if let head, let other = previous.head { return head != other }
        let (one, other) = (stamp, previous.stamp)
        return (one.size, one.modificationTime, one.modificationNanoseconds)
            != (other.size, other.modificationTime, other.modificationNanoseconds)
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
