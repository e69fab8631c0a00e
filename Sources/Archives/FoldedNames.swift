/// Names that have been seen, where two that any file system may take for one count as the same.
///
/// Windows and macOS ignore case, macOS also the form of accents. Full upper and lower case in turn bring
/// `ß` to `ss` and the three sigmas together; Swift compares text by canonical equivalence.
///
/// Only keyed 128-bit hashes are kept, not the names: 16 bytes for each of perhaps a hundred thousand. Two
/// different names that met by chance would be refused, which has a probability of about 2⁻⁹⁴ then.
public struct FoldedNames {
    private struct Digest: Hashable {
        let first: Int
        let second: Int
    }

    private var seen: Set<Digest> = []

    public init() {}

    /// Adds a name; false when one that counts as the same was there.
    public mutating func insert(_ name: String) -> Bool {
        seen.insert(Self.digest(name)).inserted
    }

    /// Whether a name that counts as the same is there.
    public func contains(_ name: String) -> Bool {
        seen.contains(Self.digest(name))
    }

    private static func digest(_ name: String) -> Digest {
        let folded = name.uppercased().lowercased()
        var hashers = (Hasher(), Hasher())
        hashers.0.combine(folded)
        hashers.1.combine(1)
        hashers.1.combine(folded)
        return Digest(first: hashers.0.finalize(), second: hashers.1.finalize())
    }
}
