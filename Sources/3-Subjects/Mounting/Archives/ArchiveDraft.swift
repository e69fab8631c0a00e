import ValiseArchives
import ValiseEncoding

/// The folders of an archive while its entries are sorted into them. An archive need not have entries for folders.
struct ArchiveDraft {
    private final class Folder {
        var folders: [[UInt8]: Folder] = [:]
        var others: [TreeEntry] = []
        var modified: UTCTime?
    }

    private let root = Folder()

    /// - Parameters:
    ///   - entry: with a name that was checked: it leads out of nothing, and is nobody else's.
    ///   - item: nil for a folder.
    func add(_ entry: ZipEntry, _ item: TreeItem?) {
        var names = entry.name.utf8.split(separator: UInt8(ascii: "/")).map { Array($0) }
        guard let last = names.popLast() else { return }
        var folder = root
        for name in names { folder = Self.folder(name, in: folder) }
        if let item {
            folder.others.append(TreeEntry(last, item))
        } else {
            Self.folder(last, in: folder).modified = entry.modified.map { UTCTime(seconds: $0.seconds) }
        }
    }

    private static func folder(_ name: [UInt8], in folder: Folder) -> Folder {
        if let known = folder.folders[name] { return known }
        let new = Folder()
        folder.folders[name] = new
        return new
    }

    /// The whole as an item.
    func finished() -> TreeItem {
        // Names have a bounded number of components, so that this is not deep.
        Self.finished(root)
    }

    private static func finished(_ folder: Folder) -> TreeItem {
        let folders = folder.folders.map { TreeEntry($0.key, finished($0.value)) }
        return MemoryFolder(folders + folder.others).item(modified: folder.modified)
    }
}
