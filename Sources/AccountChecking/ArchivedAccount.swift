import Accounts
import Archives
import Failures
import Files
import SystemPackage

/// The parts of an account inside of a zip file.
struct ArchivedAccount {
    private let archive: FileSource
    private let index: ZipIndex

    init(_ path: FilePath, limits: ZipLimits, fileSystem: FileSystem) throws {
        index = try ZipIndex(try fileSystem.openForReading(path), limits: limits)
        archive = try FileSource(path, fileSystem: fileSystem)
    }

    func source(of database: AccountDatabase) throws -> any ByteSource {
        guard let entry = index.entry(named: database.archiveName) else {
            throw CheckError(
                .damaged, "this is no archive of an account: \(database.archiveName) is missing",
                subject: archive.path.string)
        }
        return try entry.source(in: archive)
    }

    /// The entries of the media folder; in archives it has the usual name.
    var media: MediaEntries {
        let folder = AccountLocation(directory: "/").filesName + "/"
        var sizes: [String: Int64] = [:]
        for entry in index.entries where !entry.isFolder && entry.name.utf8.starts(with: folder.utf8) {
            sizes[String(decoding: entry.name.utf8.dropFirst(folder.utf8.count), as: UTF8.self)] = entry.size
        }
        return MediaEntries(sizes: sizes)
    }
}
