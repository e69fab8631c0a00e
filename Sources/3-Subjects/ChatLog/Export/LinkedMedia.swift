import SystemPackage
import ValiseAccounts
import ValiseFiles

/// The way from an export to the files of an account.
struct LinkedMedia {
    private let way: String

    /// - Parameters:
    ///   - store: the files of the account.
    ///   - folder: of the export.
    /// - Returns: nil where the files are within an archive, or their folder has a name that is no text.
    /// - Throws: `FileError`.
    init?(_ store: any MediaStore, from folder: FilePath, _ fileSystem: FileSystem) throws(FileError) {
        guard let media = store as? MediaFolder, try fileSystem.isDirectory(media.folder) else { return nil }
        // Without symbolic links, so that each `..` leads where it seems to lead.
        let start = try fileSystem.resolve(folder).components.map(\.string)
        let end = try fileSystem.resolve(media.folder).components.map(\.string)
        guard !(start + end).contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }) else { return nil }
        let shared = zip(start, end).prefix { $0 == $1 }.count
        way = (start.dropFirst(shared).map { _ in ".." } + end.dropFirst(shared)).map { $0 + "/" }.joined()
    }

    /// The path of a file of the store from the folder of the export.
    func path(_ name: String) -> String { way + name }
}
