import SystemPackage
import ValiseFiles

/// How many files of attachments a store has. Updates do not change them, and guards do not copy them.
package struct AttachmentTally: Codable, Sendable, Equatable {
    package private(set) var files: Int64 = 0
    /// In bytes.
    package private(set) var size: Int64 = 0

    /// Counts what is below a folder, which need not be there.
    /// - Parameter look: called for each entry; throw to stop.
    /// - Throws: `FileError`; whatever `look` throws.
    init(below folder: FilePath, _ fileSystem: FileSystem, by look: () throws -> Void) throws {
        guard try fileSystem.isDirectory(folder) else { return }
        try add(folder, fileSystem, depth: 0, look)
    }

    /// Deeper folders are nobody's.
    private static let mostDepth = 16

    private mutating func add(
        _ folder: FilePath, _ fileSystem: FileSystem, depth: Int, _ look: () throws -> Void
    ) throws {
        for entry in try fileSystem.list(folder) {
            try look()
            guard let name = FilePath.Component(bytes: entry.nameBytes) else { continue }
            let path = folder.appending(name)
            switch entry.kind {
            case .directory where depth < Self.mostDepth:
                try add(path, fileSystem, depth: depth + 1, look)
            case .regular:
                files += 1
                size = try size.saturatingSum(fileSystem.attributes(of: path)?.size ?? 0)
            default: continue
            }
        }
    }
}
