import SystemPackage

/// Paths of attachments as rows and documents have them, which anybody may have written.
enum AttachmentPath {
    private static let mostLevels = 4
    private static let longestName = 255

    /// The path below the folder of attachments, such as `3f/3fa9…`; nil for one that leaves it. Programs on Windows write
    /// backslashes.
    static func relative(_ stored: String) -> FilePath? {
        if isPlain(stored) { return FilePath(stored) }
        let names = stored.replacing("\\", with: "/").split(separator: "/", omittingEmptySubsequences: false)
        guard names.count <= mostLevels, !stored.utf8.contains(where: { $0 < 32 || $0 == 127 }),
            names.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." && $0.utf8.count <= longestName })
        else { return nil }
        return FilePath(names.joined(separator: "/"))
    }

    /// Whether it is of letters and digits, as the programs name files: `3f/3fa9…`, or without a folder.
    private static func isPlain(_ stored: String) -> Bool {
        let bytes = stored.utf8
        guard bytes.count <= longestName, bytes.first != slash, bytes.last != slash, !bytes.isEmpty else {
            return false
        }
        var folders = 0
        for byte in bytes {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: continue
            case slash where folders == 0: folders = 1
            default: return false
            }
        }
        return true
    }

    private static let slash = UInt8(ascii: "/")
}
