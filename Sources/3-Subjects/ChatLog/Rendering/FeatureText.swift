import ValiseEncoding

/// What features are set to.
enum FeatureText {
    private static let names = [
        "timedMessages": "disappearing messages", "fullDelete": "deletion for everyone",
        "reactions": "reactions", "voice": "voice messages", "files": "files and media",
        "calls": "calls", "sessions": "sessions", "directMessages": "direct messages",
        "simplexLinks": "SimpleX links", "reports": "reports to moderators", "history": "visible history",
        "support": "chat with administrators", "comments": "comments", "signMessages": "signed messages",
    ]

    /// The word itself where it is not known.
    static func name(_ word: String?) -> String {
        guard let word else { return "a feature" }
        return names[word] ?? word
    }

    static func ofContact(_ fields: JSONNode) -> String? {
        guard let feature = fields["feature"]?.textValue, let enabled = fields["enabled"] else { return nil }
        let state =
            switch (enabled["forUser"]?.boolValue ?? false, enabled["forContact"]?.boolValue ?? false) {
            case (true, true): "enabled"
            case (true, false): "enabled for you"
            case (false, true): "enabled for the contact"
            case (false, false): "off"
            }
        return "\(name(feature)): \(state)\(time(feature, fields))"
    }

    static func preference(_ fields: JSONNode) -> String? {
        guard let feature = fields["feature"]?.textValue, let allowed = fields["allowed"]?.textValue else {
            return nil
        }
        return allowed == "no"
            ? "\(name(feature)): offer withdrawn" : "\(name(feature)): offered\(time(feature, fields))"
    }

    static func ofGroup(_ fields: JSONNode) -> String? {
        guard let feature = fields["groupFeature"]?.textValue,
            let enable = fields["preference"]?["enable"]?.textValue
        else { return nil }
        let role = fields["memberRole_"]?.textValue.map { " for \($0)s" } ?? ""
        return "\(name(feature)): \(enable)\(role)\(enable == "on" ? time(feature, fields) : "")"
    }

    private static func time(_ feature: String, _ fields: JSONNode) -> String {
        guard let seconds = fields["param"]?.integerValue else { return "" }
        return feature == "timedMessages" ? " (after \(TimeSpanText.words(seconds)))" : " (\(seconds))"
    }
}
