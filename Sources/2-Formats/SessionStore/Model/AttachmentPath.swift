import SystemPackage

/// Paths of attachments as rows and documents have them, which anybody may have written.
enum AttachmentPath {
    private static let mostLevels = 4
    private static let longestName = 255

    /// The path below the folder of attachments, such as `3f/3fa9…`; nil for one that leaves it. Programs on Windows write
    /// backslashes.
    static func relative(_ stored: String) -> FilePath? {
        let names = stored.replacing("\\", with: "/").split(separator: "/", omittingEmptySubsequences: false)
        guard names.count <= mostLevels, !stored.utf8.contains(where: { $0 < 32 || $0 == 127 }),
            names.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." && $0.utf8.count <= longestName })
        else { return nil }
        return FilePath(names.joined(separator: "/"))
    }
}
