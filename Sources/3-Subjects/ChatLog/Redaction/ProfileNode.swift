import ValiseEncoding

/// Profiles of people and groups within contents.
enum ProfileNode {
    private static let nameKeys = ["localAlias", "displayName", "localDisplayName"]

    /// What it is called; none for what is no profile.
    static func names(of node: JSONNode) -> [String?] { nameKeys.map { node[$0]?.textValue } }

    /// Its full name; nil for none.
    static func fullName(of node: JSONNode) -> String? { node["fullName"]?.textValue }

    /// Whether it is the profile of a group, or has one.
    static func bearer(of node: JSONNode, key: String) -> Pseudonyms.Bearer {
        let isGroup =
            key.lowercased().contains("group") || node["groupProfile"] != nil
            || node["groupPreferences"] != nil
        return isGroup ? .group : .person
    }
}
