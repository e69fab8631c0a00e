package import SystemPackage
import ValiseChatSchema
import ValiseFailures
package import ValiseFiles

/// The files of an export, which lie decrypted in its folder.
package struct ExportFiles: ServedFiles {
    private let folder: FilePath
    private let fileSystem: FileSystem

    /// - Parameters:
    ///   - folder: of the export.
    ///   - fileSystem: where it is read.
    package init(_ folder: FilePath, fileSystem: FileSystem = FileSystem()) {
        self.folder = folder
        self.fileSystem = fileSystem
    }

    package func reference(to file: ItemFile) throws -> PageMedia? { PageMedia.exported(file) }

    /// Nothing but regular files below the folder of files, and none behind a link: the list of an export may be a stranger's.
    package func content(at path: [String]) throws -> ServedMedia? {
        guard path.count > 1, path[0] == ConversationMedia.folderName, !path.contains(where: Self.isUnsafe),
            let last = path.last
        else { return nil }
        var place = folder
        for name in path.dropLast() {
            place.append(name)
            guard try fileSystem.attributes(of: place)?.kind == .directory else { return nil }
        }
        place.append(last)
        guard try fileSystem.attributes(of: place)?.kind == .regular else { return nil }
        return ServedMedia(last, try FileSource(place, fileSystem: fileSystem))
    }

    private static func isUnsafe(_ name: String) -> Bool {
        name.isEmpty || name == "." || name == ".." || name.utf8.count > 255
            || name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    }
}
