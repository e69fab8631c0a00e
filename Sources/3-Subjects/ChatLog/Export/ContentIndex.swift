import SystemPackage
import ValiseCryptography
import ValiseFiles

/// Knows the contents of an export's files, so that each is there once: a picture that was sent to five chats is five files of
/// the account.
///
/// Only files of the same size are read and compared, by their digests.
struct ContentIndex {
    private let folder: FilePath
    private let fileSystem: FileSystem
    /// Paths below the folder.
    private var bySize: [Int64: [String]] = [:]
    private var digests: [String: [UInt8]] = [:]

    /// - Parameters:
    ///   - folder: of the export.
    ///   - media: the name of the folder within it that has a folder of files for each conversation.
    /// - Throws: `FileError`.
    init(_ folder: FilePath, media: String, _ fileSystem: FileSystem) throws(FileError) {
        self.folder = folder
        self.fileSystem = fileSystem
        let root = folder.appending(media)
        for chat in try fileSystem.list(root) where chat.kind == .directory {
            guard let name = chat.name, !name.hasPrefix(".") else { continue }
            for file in try fileSystem.list(root.appending(name)) where file.kind == .regular {
                guard let fileName = file.name else { continue }
                let path = "\(media)/\(name)/\(fileName)"
                if let size = try fileSystem.attributes(of: folder.appending(path))?.size {
                    add(path, size: size)
                }
            }
        }
    }

    /// Learns a file.
    mutating func add(_ path: String, size: Int64) { bySize[size, default: []].append(path) }

    /// A file of the export with the same content as a new one.
    /// - Parameters:
    ///   - new: the new one, which is not in the index.
    ///   - waiting: where files are that have no name yet, by their paths in the export.
    /// - Throws: `FileError`; whatever the checkpoint throws.
    mutating func twin(
        of new: FilePath, size: Int64, waiting: [String: FilePath], checkpoint: () throws -> Void
    ) throws -> String? {
        guard let candidates = bySize[size] else { return nil }
        let digest = try digest(of: new, checkpoint)
        for candidate in candidates {
            let known: [UInt8]
            if let digest = digests[candidate] {
                known = digest
            } else {
                known = try self.digest(of: waiting[candidate] ?? folder.appending(candidate), checkpoint)
                digests[candidate] = known
            }
            if known == digest { return candidate }
        }
        return nil
    }

    private func digest(of path: FilePath, _ checkpoint: () throws -> Void) throws -> [UInt8] {
        try SHA256.hash(FileSource(path, fileSystem: fileSystem)) { _ in try checkpoint() }
    }
}
