import ValiseEncoding

/// Profiles of people and groups within contents.
enum ProfileNode {
    private static let nameKeys = ["displayName", "fullName", "localDisplayName", "localAlias"]

    /// Its names; none for what is no profile.
    static func names(of node: JSONNode) -> [String?] { nameKeys.map { node[$0]?.textValue } }

    /// Whether it is the profile of a group, or has one.
    static func bearer(of node: JSONNode, key: String) -> Pseudonyms.Bearer {
        let isGroup =
            key.lowercased().contains("group") || node["groupProfile"] != nil
            || node["groupPreferences"] != nil
        return isGroup ? .group : .person
    }
}
