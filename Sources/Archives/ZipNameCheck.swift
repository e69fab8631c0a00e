/// No two entries may land on one file, on any file system.
enum ZipNameCheck {
    static func check(_ entries: [ZipEntry]) throws(ZipError) {
        var exact: Set<[UInt8]> = []
        // Swift compares text by canonical equivalence, so this finds twins in other normal forms too.
        var folded: Set<String> = []
        for entry in entries {
            let bytes = Array(entry.name.utf8)
            guard exact.insert(bytes).inserted else {
                throw .damaged(
                    .nameDuplicate, "the archive holds two entries of this name", entry: entry.name)
            }
            guard folded.insert(entry.name.lowercased()).inserted else {
                throw .unsupported(
                    .nameCase, "another entry differs from it only in case or accents' form",
                    entry: entry.name)
            }
        }
        let files = Set(entries.lazy.filter { !$0.isFolder }.map { $0.name.lowercased() })
        for entry in entries {
            var path = entry.name.lowercased()[...]
            // By scalars, as the file system sees a slash: a combining mark behind it does not hide it.
            while let slash = path.unicodeScalars.lastIndex(of: "/") {
                path = path[..<slash]
                guard !files.contains(String(path)) else {
                    throw .damaged(
                        .nameFileAsFolder, "it lies in a folder whose name another entry has as a file",
                        entry: entry.name)
                }
            }
        }
    }
}
