import ValiseAccounts
import ValiseArchives

/// The entries of an archive that are to be extracted.
struct EntrySelection {
    /// Files only, in the order of the archive; databases last: with the first of them the folder holds an account,
    /// and what a stopped run has left to do is refused.
    let entries: [ZipEntry]
    /// Patterns that mean no entry.
    let unmatched: [String]

    /// - Parameter patterns: none for all entries.
    init(_ index: ZipIndex, _ patterns: [String]) {
        let files = Self.databasesLast(index.entries.filter { !$0.isFolder })
        let patterns = patterns.map(EntryPattern.init)
        guard !patterns.isEmpty else {
            self.init(files, unmatched: [])
            return
        }
        var used = [Bool](repeating: false, count: patterns.count)
        let entries = files.filter { file in
            var isMeant = false
            // All of them, to know which mean nothing.
            for (number, pattern) in patterns.enumerated() where pattern.matches(file.name) {
                used[number] = true
                isMeant = true
            }
            return isMeant
        }
        self.init(entries, unmatched: zip(patterns, used).filter { !$0.1 }.map(\.0.text))
    }

    private static func databasesLast(_ files: [ZipEntry]) -> [ZipEntry] {
        func isDatabase(_ file: ZipEntry) -> Bool {
            if case .database = ArchiveLayout.role(of: file.name) { true } else { false }
        }
        return files.filter { !isDatabase($0) } + files.filter(isDatabase)
    }

    private init(_ entries: [ZipEntry], unmatched: [String]) {
        self.entries = entries
        self.unmatched = unmatched
    }

    /// Unpacked, in bytes.
    var size: Int64 { entries.reduce(0) { $0 + $1.size } }
}
