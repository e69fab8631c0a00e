import SystemPackage
import ValiseFiles

/// The way from an export to the files of an account.
struct LinkedMedia {
    private let way: String

    /// - Parameters:
    ///   - media: the folder of the files; nil where they are within an archive.
    ///   - folder: of the export.
    /// - Returns: nil where the files are within an archive, or their folder has a name that is no text.
    /// - Throws: `FileError`.
    init?(_ media: FilePath?, from folder: FilePath, _ fileSystem: FileSystem) throws(FileError) {
        guard let media, try fileSystem.isDirectory(media) else { return nil }
        // Without symbolic links, so that each `..` leads where it seems to lead.
        let start = try fileSystem.resolve(folder).components.map(\.string)
        let end = try fileSystem.resolve(media).components.map(\.string)
        guard !(start + end).contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }) else { return nil }
        let shared = zip(start, end).prefix { $0 == $1 }.count
        way = (start.dropFirst(shared).map { _ in ".." } + end.dropFirst(shared)).map { $0 + "/" }.joined()
    }

    /// The path of a file of the store from the folder of the export.
    func path(_ name: String) -> String { way + name }
}
