/// What a configuration of libsession is about (fact sheet of Session, §6).
package enum ConfigKind: String, Sendable, Hashable, CaseIterable {
    // In the order in which libsession loads them: the account's, then each group's.
    case userProfile, contacts, convoInfoVolatile, userGroups, local
    case groupInfo, groupMembers, groupKeys

    /// By the name that a store has for it, in any case of letters, such as `UserProfile`, or `ContactsConfig` of Desktop.
    package init?(named name: String) {
        var lower = name.lowercased()
        if lower.hasSuffix("config") { lower.removeLast("config".count) }
        if lower == "user" { lower = Self.userProfile.rawValue.lowercased() }
        guard let kind = Self.allCases.first(where: { $0.rawValue.lowercased() == lower }) else { return nil }
        self = kind
    }

    /// Whether each group has one, instead of the account.
    package var isOfGroup: Bool { [.groupInfo, .groupMembers, .groupKeys].contains(self) }
}
