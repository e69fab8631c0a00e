/// What people and groups are called in place of their names: `Person 1`, `Group 1`, in the order in which they first appear.
/// Whoever has one of several known names is the same; so are two who have the same name, but for full names.
struct Pseudonyms {
    /// What is called by a name.
    enum Bearer { case person, group }

    private var byName: [String: String] = [:]
    private var counts = (people: 0, groups: 0)
    /// Names as they were given: most come again and again.
    private var seen: Set<String> = []
    /// All names for ``NameFinder``, in the order in which they came.
    private(set) var replacements: [(name: String, replacement: String)] = []

    /// Learns names of one person or group.
    /// - Parameters:
    ///   - names: what it is called. Who has one of them is the same.
    ///   - fullNames: further names, which several may have.
    mutating func add(_ names: [String?], fullNames: [String?] = [], of bearer: Bearer) {
        let (names, fullNames) = (Self.given(names), Self.given(fullNames))
        let all = names + fullNames
        guard all.contains(where: { !seen.contains($0) }) else { return }
        seen.formUnion(all)
        let keys = all.map(Self.key)
        var pseudonym = keys.prefix(max(names.count, 1)).compactMap { byName[$0] }.first
        for (name, key) in zip(all, keys) where !key.isEmpty && byName[key] == nil {
            let replacement = pseudonym ?? next(bearer)
            pseudonym = replacement
            byName[key] = replacement
            replacements.append((name: name, replacement: replacement))
        }
    }

    private static func given(_ names: [String?]) -> [String] {
        names.compactMap { $0 }.filter { !$0.isEmpty }
    }

    /// What a name becomes; nil for one that is not known.
    subscript(name: String) -> String? { byName[Self.key(name)] }

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
