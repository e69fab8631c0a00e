/// What people and groups are called in place of their names: `Person 1`, `Group 1`, in the order in which they first appear.
/// Whoever has one of several known names is the same; so are two who have the same name.
struct Pseudonyms {
    /// What is called by a name.
    enum Bearer { case person, group }

    private var byName: [String: String] = [:]
    private var counts = (people: 0, groups: 0)
    /// Names as they were given: most come again and again.
    private var seen: Set<String> = []
    /// In the order in which they came.
    private var all: [(name: String, replacement: String)] = []

    /// Learns names of one person or group.
    mutating func add(_ names: [String?], of bearer: Bearer) {
        let names = names.compactMap { $0 }
        guard names.contains(where: { !seen.contains($0) }) else { return }
        let keys = names.map(Self.key)
        let pseudonym = keys.compactMap { byName[$0] }.first
        var given: String?
        for (name, key) in zip(names, keys) where !key.isEmpty {
            seen.insert(name)
            guard byName[key] == nil else { continue }
            let replacement = given ?? pseudonym ?? next(bearer)
            given = replacement
            byName[key] = replacement
            all.append((name: name, replacement: replacement))
        }
    }

    /// What a name becomes; nil for one that is not known.
    subscript(name: String) -> String? { byName[Self.key(name)] }

    /// All names for ``NameFinder``.
    var replacements: [(name: String, replacement: String)] { all }

    private mutating func next(_ bearer: Bearer) -> String {
        switch bearer {
        case .person:
            counts.people += 1
            return "Person \(counts.people)"
        case .group:
            counts.groups += 1
            return "Group \(counts.groups)"
        }
    }

    /// Without case, and with single spaces.
    private static func key(_ name: String) -> String {
        let tokens = TextTokens.of(name[...])
        guard let first = tokens.firstIndex(where: { !$0.isSpace }),
            let last = tokens.lastIndex(where: { !$0.isSpace })
        else { return "" }
        return tokens[first...last].map(\.folded).joined()
    }
}
