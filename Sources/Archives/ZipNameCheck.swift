/// No two entries may land on one file, on any file system.
enum ZipNameCheck {
    static func check(_ entries: [ZipEntry]) throws(ZipError) {
        var names = FoldedNames()
        var files = FoldedNames()
        for (position, entry) in entries.enumerated() {
            guard names.insert(entry.name) else { throw twin(of: entry, among: entries[..<position]) }
            if !entry.isFolder { _ = files.insert(entry.name) }
        }
        var lastFolder: Substring = ""
        for entry in entries {
            let folder = Self.folder(of: entry.name[...])
            // Most entries lie in one folder, which is looked up once.
            if let folder, !folder.utf8.elementsEqual(lastFolder.utf8) {
                try checkFolders(folder, files, entry)
                lastFolder = folder
            }
        }
    }

    private static func checkFolders(
        _ folder: Substring, _ files: FoldedNames, _ entry: ZipEntry
    ) throws(ZipError) {
        var path: Substring? = folder
        while let current = path {
            guard !files.contains(String(current)) else {
                throw .damaged(
                    .nameFileAsFolder, "it lies in a folder whose name another entry has as a file",
                    entry: entry.name)
            }
            path = Self.folder(of: current)
        }
    }

    /// By scalars, as the file system sees a slash: a combining mark behind it does not hide it.
    private static func folder(of path: Substring) -> Substring? {
        path.unicodeScalars.lastIndex(of: "/").map { path[..<$0] }
    }

    private static func twin(of entry: ZipEntry, among others: ArraySlice<ZipEntry>) -> ZipError {
        if others.contains(where: { $0.name.utf8.elementsEqual(entry.name.utf8) }) {
            return .damaged(.nameDuplicate, "the archive holds two entries of this name", entry: entry.name)
        }
        return .unsupported(
            .nameCase, "another entry differs from it only in case or accents' form", entry: entry.name)
    }
}
