import ValiseAccounts
import ValiseFailures
import ValiseFiles

/// The files of a snapshot that are media; the folder has the name that it has in archives.
struct SnapshotMedia: MediaStore, Sendable {
    private let storage: SnapshotStorage
    private let sizes: [String: Int64]

    private static let folder = ArchiveLayout.files + "/"

    init(_ storage: SnapshotStorage, _ files: [String: SnapshotStorage.File]) {
        self.storage = storage
        var sizes: [String: Int64] = [:]
        for (name, file) in files where name.utf8.starts(with: Self.folder.utf8) {
            sizes[String(decoding: name.utf8.dropFirst(Self.folder.utf8.count), as: UTF8.self)] = file.size
        }
        self.sizes = sizes
    }

    /// A snapshot has all files in one folder, so that the last component counts.
    func find(_ path: String) throws -> MediaPlace {
        guard path.utf8.first != UInt8(ascii: "/"),
            let last = path.utf8.split(separator: UInt8(ascii: "/")).last
        else { return .elsewhere }
        let name = String(Substring(last))
        return sizes[name].map { .file(name: name, size: $0) } ?? .missing(name: name)
    }

    func forEach(_ body: (_ name: String, _ size: Int64) throws -> Void) throws {
        for (name, size) in sizes.sorted(by: { $0.key < $1.key }) { try body(name, size) }
    }

    func source(_ name: String) throws -> any ByteSource {
        guard sizes[name] != nil else {
            throw BackupError(.notFound, "no such file in the snapshot", name)
        }
        return try storage.source(named: Self.folder + name)
    }
}
