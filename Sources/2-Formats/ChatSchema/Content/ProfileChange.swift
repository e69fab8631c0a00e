package import ValiseEncoding

/// What changed in a profile: the first difference counts.
package enum ProfileChange: String, Sendable, CaseIterable {
    /// The display name or the full name.
    case name
    case pictureSet = "picture set"
    case pictureRemoved = "picture removed"
    case addressSet = "address set"
    case addressRemoved = "address removed"
    /// Something else, such as preferences.
    case updated
}

extension ItemContent {
    /// What changed between two profiles, as an event has them.
    package static func profileChange(from old: JSONNode, to new: JSONNode) -> ProfileChange {
        /// An empty text is none.
        func text(_ key: String, _ profile: JSONNode) -> String? {
            profile[key]?.textValue.flatMap { $0.isEmpty ? nil : $0 }
        }
        func differs(_ key: String) -> Bool { text(key, old) != text(key, new) }
        if differs("displayName") || differs("fullName") { return .name }
        if differs("image") { return text("image", new) == nil ? .pictureRemoved : .pictureSet }
        if differs("contactLink") { return text("contactLink", new) == nil ? .addressRemoved : .addressSet }
        return .updated
    }
}
