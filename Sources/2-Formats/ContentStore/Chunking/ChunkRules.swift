/// By which rules tcfs chooses the profile of a file. Readers need none of them: a writer finds chunks that tcfs wrote only with
/// the same.
package enum ChunkRules: Sendable, Hashable {
    /// Those of tcfs until 0.12.12.
    case early
    /// Those of tcfs since 0.12.13.
    case late

    /// The profile for a path.
    ///
    /// - Parameter path: with slashes; case counts.
    package func sizes(for path: String) -> ChunkSizes {
        let components = path.split(separator: "/")
        let type = Self.type(of: components.last ?? "")
        switch self {
        case .early: return ["pack", "bin", "iso", "img"].contains(type) ? .pack : .small
        case .late: return Self.late(components, type)
        }
    }

    private static func late(_ components: [Substring], _ type: Substring?) -> ChunkSizes {
        if components.suffix(2) == [".git", "index"] { return .pack }
        let isInPacks = hasGitPacks(components)
        if isInPacks, components.last?.hasPrefix("tmp_pack_") == true || type == "idx" { return .large }
        switch type {
        case "pack", "rev", "iso", "img": return .large
        case "idx", "bin": return .pack
        default: return .small
        }
    }

    /// Whether `.git/objects/pack` is among the folders.
    private static func hasGitPacks(_ components: [Substring]) -> Bool {
        let folders = Array(components.dropLast())
        return folders.indices.contains { folders[$0...].starts(with: [".git", "objects", "pack"]) }
    }

    /// What follows the last dot, unless it is the first character; nil where there is none.
    private static func type(of name: Substring) -> Substring? {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        return name[name.index(after: dot)...]
    }
}
