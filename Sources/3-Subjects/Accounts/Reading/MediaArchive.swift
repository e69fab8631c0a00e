import SystemPackage
import ValiseArchives
import ValiseFailures
import ValiseFiles

/// The entries of an archive that are media; the folder has the usual name there.
struct MediaArchive: MediaStore, Sendable {
    private let archive: FileSource
    private let entries: [String: ZipEntry]

    init(_ index: ZipIndex, _ archive: FileSource) {
        self.archive = archive
        let folder = AccountLocation(directory: "/").filesName + "/"
        var entries: [String: ZipEntry] = [:]
        for entry in index.entries where !entry.isFolder && entry.name.utf8.starts(with: folder.utf8) {
            entries[String(decoding: entry.name.utf8.dropFirst(folder.utf8.count), as: UTF8.self)] = entry
        }
        self.entries = entries
    }

    /// An archive has all files in one folder, so that the last component counts.
    func find(_ path: String) throws -> MediaPlace {
        guard path.utf8.first != UInt8(ascii: "/"),
            let last = path.utf8.split(separator: UInt8(ascii: "/")).last
        else { return .elsewhere }
        let name = String(Substring(last))
        return entries[name].map { .file(name: name, size: $0.size) } ?? .missing(name: name)
    }

    func forEach(_ body: (_ name: String, _ size: Int64) throws -> Void) throws {
        for (name, entry) in entries.sorted(by: { $0.key < $1.key }) { try body(name, entry.size) }
    }

    func source(_ name: String) throws -> any ByteSource {
        guard let entry = entries[name] else {
            throw AccountMediaError(.notFound, "no such file in the archive", subject: name)
        }
        return try entry.source(in: archive)
    }
}
