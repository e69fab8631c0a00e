/// Names that have been seen, where two that any file system may take for one count as the same.
///
/// Windows and macOS ignore case, macOS also the form of accents. Full upper and lower case in turn bring
/// `ß` to `ss` and the three sigmas together; Swift compares text by canonical equivalence.
///
/// Only keyed 128-bit hashes are kept, not the names: 16 bytes for each of perhaps a hundred thousand. Two
/// different names that met by chance would be refused, which has a probability of about 2⁻⁹⁴ then.
package struct FoldedNames {
    struct Digest: Hashable {
        let first: Int
        let second: Int
    }

    private var seen: Set<Digest> = []
    /// How many components were hashed: the work.
    private(set) var components = 0

    package init() {}

    /// Adds a name; false when one that counts as the same was there.
    package mutating func insert(_ name: String) -> Bool {
        insert(digest(name))
    }

    mutating func insert(_ digest: Digest) -> Bool { seen.insert(digest).inserted }

    /// Whether a name that counts as the same is there.
    package func contains(_ name: String) -> Bool {
        var copy = FoldedNames()
        return seen.contains(copy.digest(name))
    }

    /// Whether a folder above a path counts as the same as a name that is there. However deep the path is, each of its
    /// components is hashed once.
    package mutating func containsFolder(above path: String) -> Bool {
        !forEachFolder(above: path) { !$0.contains($1) }
    }

    /// Adds every folder above a path.
    package mutating func insertFolders(above path: String) {
        _ = forEachFolder(above: path) { seen, folder in
            seen.insert(folder)
            return true
        }
    }

    /// - Returns: whether the closure was content with all of them.
    private mutating func forEachFolder(
        above path: String, _ body: (inout Set<Digest>, Digest) -> Bool
    ) -> Bool {
        let bytes = path.utf8
        var folders = FoldedPath()
        var start = bytes.startIndex
        while let slash = bytes[start...].firstIndex(of: FoldedPath.slash) {
            folders.add(path[start..<slash])
            components += 1
            guard body(&seen, folders.digest) else { return false }
            start = bytes.index(after: slash)
        }
        return true
    }

    mutating func digest(_ name: String) -> Digest {
        let bytes = name.utf8
        var path = FoldedPath()
        var start = bytes.startIndex
        while let slash = bytes[start...].firstIndex(of: FoldedPath.slash) {
            path.add(name[start..<slash])
            components += 1
            start = bytes.index(after: slash)
        }
        path.add(name[start...])
        components += 1
        return path.digest
    }
}

/// The hash of a path while its components come. No case and no form of accents reaches across a slash.
private struct FoldedPath {
    static let slash = UInt8(ascii: "/")

    private var first = Hasher()
    private var second = Hasher()

    init() { second.combine(1) }

    mutating func add(_ component: Substring) {
        let folded = Self.folded(component)
        first.combine(folded)
        second.combine(folded)
    }

    var digest: FoldedNames.Digest {
        FoldedNames.Digest(first: first.finalized, second: second.finalized)
    }

    private static func folded(_ component: Substring) -> String {
        let bytes = component.utf8
        guard bytes.allSatisfy({ $0 < 128 }) else { return component.uppercased().lowercased() }
        // Of ASCII the same, and many times faster.
        return unsafe String(unsafeUninitializedCapacity: bytes.count) { memory in
            var count = 0
            for byte in bytes {
                unsafe memory[count] = (65...90).contains(byte) ? byte + 32 : byte
                count += 1
            }
            return count
        }
    }
}

extension Hasher {
    /// What it comes to now; more can be added to the original.
    fileprivate var finalized: Int {
        let copy = self
        return copy.finalize()
    }
}
