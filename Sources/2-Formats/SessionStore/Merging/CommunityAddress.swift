/// The address of a community's room, as devices write it in several forms.
enum CommunityAddress {
    /// The same for all forms of an address; other IDs as they are.
    ///
    /// The scheme does not count, the host's letters are small, and the room is behind a slash, or behind the last dot as the phone
    /// writes it.
    static func comparable(_ id: String) -> String {
        guard SessionIDs.isAddress(id), let end = id.firstRange(of: "://") else { return id }
        let rest = id[end.upperBound...]
        let parts = rest.split(separator: "/", maxSplits: 1)
        guard let host = parts.first?.lowercased() else { return id }
        if parts.count > 1 { return "\(host)/\(parts[1])" }
        guard let dot = rest.lastIndex(of: ".") else { return host }
        return "\(rest[..<dot].lowercased())/\(rest[rest.index(after: dot)...])"
    }

    /// Whether the room is behind a slash, as in the address that people share.
    static func isShared(_ id: String) -> Bool {
        id.firstRange(of: "://").map { id[$0.upperBound...].contains("/") } ?? false
    }
}
