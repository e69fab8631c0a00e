/// No two entries may land on one file, on any file system.
enum ZipNameCheck {
    /// - Returns: how many components were looked at: the work, which is that of the bytes of all names.
    static func check(_ entries: [ZipEntry]) throws(ZipError) -> Int {
        var names = FoldedNames()
        var files = FoldedNames()
        for (position, entry) in entries.enumerated() {
            let digest = names.digest(entry.name)
            guard names.insert(digest) else { throw twin(of: entry, among: entries[..<position]) }
            if !entry.isFolder { _ = files.insert(digest) }
        }
        var lastFolder: Substring = ""
        for entry in entries {
            // Most entries lie in one folder, which is looked up once.
            guard let folder = Self.folder(of: entry.name), !folder.utf8.elementsEqual(lastFolder.utf8) else {
                continue
            }
            guard !files.containsFolder(above: entry.name) else {
                throw .damaged(
                    .nameFileAsFolder, "its folder has the same name as another entry, a file",
                    entry: entry.name)
            }
            lastFolder = folder
        }
        return names.components + files.components
    }

    /// By bytes, as the file system sees a slash: a combining mark behind it does not hide it.
    private static func folder(of path: String) -> Substring? {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] }
    }

    private static func twin(of entry: ZipEntry, among others: ArraySlice<ZipEntry>) -> ZipError {
        if others.contains(where: { $0.name.utf8.elementsEqual(entry.name.utf8) }) {
            return .damaged(.nameDuplicate, "duplicate entry name", entry: entry.name)
        }
        return .unsupported(
            .nameCase, "differs from another entry only in case or Unicode normalization", entry: entry.name)
    }
}
