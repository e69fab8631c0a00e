/// Sees to it that the paths of a backup stay in one folder and that each names one thing.
struct SessionBackupPath {
    private static let longestName = 255
    private static let mostLevels = 32
    /// What an extraction writes to before a file has its name: no entry may be called that.
    static let temporaryName = ".valise-extraction.partial"

    private var files: Set<String> = []
    private var folders: Set<String> = []
    private var byteCount = 0

    /// Takes one more path.
    /// - Returns: what is wrong with it, such as `leaves the folder`; nil for nothing.
    mutating func problem(with path: String) -> String? {
        if let problem = Self.shapeProblem(path) { return problem }
        byteCount += path.utf8.count
        guard byteCount <= SessionBackupFormat.mostPathBytes else { return "is one path too many" }
        guard files.insert(path).inserted, !folders.contains(path) else { return "is there twice" }
        var folder = path[...]
        while let separator = folder.lastIndex(of: "/") {
            folder = folder[..<separator]
            guard !files.contains(String(folder)) else { return "is in a file instead of a folder" }
            guard folders.insert(String(folder)).inserted else { break }
        }
        return nil
    }

    private static func shapeProblem(_ path: String) -> String? {
        guard !path.isEmpty else { return "is empty" }
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count <= mostLevels else { return "has too many levels" }
        guard !names.contains(where: { $0 == ".." || $0 == "." }), !path.hasPrefix("/") else {
            return "leaves the folder"
        }
        guard !names.contains(where: \.isEmpty) else { return "has an empty name" }
        guard !names.contains(where: { $0.utf8.count > longestName }) else { return "has a name too long" }
        // A backslash separates names on other systems.
        guard !path.utf8.contains(where: { $0 < 32 || $0 == 127 || $0 == UInt8(ascii: "\\") }) else {
            return "has a character that no name has"
        }
        return path == temporaryName ? "is reserved" : nil
    }
}
