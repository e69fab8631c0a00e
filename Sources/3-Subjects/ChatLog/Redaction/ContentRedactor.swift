import ValiseEncoding

/// Redacts stored contents, value by value. What the program's own words are stays, so that the content is understood as before;
/// any other text is redacted, also where nobody knows what it is.
struct ContentRedactor {
    private let hides: Set<ChatRedaction.Category>
    private let texts: TextRedactor
    private let names: Pseudonyms
    private let identifiers: IdentifierRedactor

    init(
        _ hides: Set<ChatRedaction.Category>, _ texts: TextRedactor, _ names: Pseudonyms,
        _ identifiers: IdentifierRedactor
    ) {
        self.hides = hides
        self.texts = texts
        self.names = names
        self.identifiers = identifiers
    }

    /// - Parameters:
    ///   - node: the content.
    ///   - isKnown: whether its form is known, so that no key in it is a name.
    ///   - mentions: as ``TextRedactor/redacted(_:mentions:)`` has them.
    func redacted(_ node: JSONNode, isKnown: Bool, mentions: NameFinder?) -> JSONNode {
        redacted(node, key: "", Context(isKnown: isKnown, mentions: mentions))
    }

    private struct Context {
        let isKnown: Bool
        let mentions: NameFinder?
    }

    private func redacted(_ node: JSONNode, key: String, _ context: Context) -> JSONNode {
        switch node {
        case .text(let text): .text(redacted(text, key: key, context))
        case .array(let elements): .array(elements.map { redacted($0, key: key, context) })
        case .object(let members): object(members, node, key: key, context)
        case .null, .bool, .number: node
        }
    }

    // MARK: Objects

    private func object(
        _ members: [JSONNode.Member], _ node: JSONNode, key: String, _ context: Context
    ) -> JSONNode {
        if hides.contains(.links), node["uri"] != nil { return preview(members, context) }
        let isProfile = hides.contains(.names) && node["displayName"]?.textValue != nil
        return .object(
            members.compactMap { member in
                if isSecret(member.key) || isProfile && Self.personal.contains(member.key) { return nil }
                var value = redacted(member.value, key: member.key, context)
                if isProfile, let text = member.value.textValue {
                    switch member.key {
                    case "displayName", "localDisplayName", "localAlias": value = .text(name(text))
                    case "fullName": value = .text("")
                    default: break
                    }
                } else if hides.contains(.media), member.key == "text", let text = member.value.textValue,
                    let name = RedactedFileName.of(text: text, messageType: node["type"]?.textValue)
                {
                    value = .text(name)
                } else if hides.contains(.names), member.key == "localDisplayName",
                    let text = member.value.textValue
                {
                    value = .text(name(text))
                }
                return JSONNode.Member(redactedKey(member.key, context), value)
            })
    }

    /// What a profile says about its owner, and what proves who it is.
    private static let personal: Set = ["shortDescr", "description", "badge", "contactDomain", "publicGroup"]

    /// What proves who made a link.
    private func isSecret(_ key: String) -> Bool {
        key == "ownerSig" && (hides.contains(.names) || hides.contains(.links))
    }

    /// Of the preview of a page its type stays.
    private func preview(_ members: [JSONNode.Member], _ context: Context) -> JSONNode {
        .object(
            members.map { member in
                switch (member.key, member.value) {
                case ("uri", .text): JSONNode.Member(member.key, .text(RedactedWords.link))
                case (_, .text): JSONNode.Member(member.key, .text(""))
                case (let key, let value): JSONNode.Member(key, redacted(value, key: key, context))
                }
            })
    }

    /// In what nobody knows keys may be names.
    private func redactedKey(_ key: String, _ context: Context) -> String {
        if context.isKnown || Self.words.contains(key) || key == "text" { return key }
        return texts.redacted(key)
    }

    // MARK: Texts

    /// Keys whose values are words of the program.
    private static let words: Set = [
        "type", "status", "deleteMode", "feature", "groupFeature", "allow", "allowed", "enable", "memberRole",
        "memberRole_",
        "role", "phase", "syncStatus", "msgDecryptError", "reason", "direction", "groupType", "peerType",
    ]
    private static let identifierKeys: Set = [
        "memberId", "publicGroupId", "ownerId", "msgId", "sharedMsgId", "groupLinkId",
    ]

    private func redacted(_ text: String, key: String, _ context: Context) -> String {
        if Self.words.contains(key), Self.isWord(text) { return text }
        if hides.contains(.media), key == "image" || Self.isPicture(text) { return "" }
        if hides.contains(.links), Self.isLink(key) { return text.isEmpty ? "" : RedactedWords.link }
        if hides.contains(.names), Self.identifierKeys.contains(key) { return identifiers.redacted(text) }
        // A document within the document.
        if key == "json" { return "" }
        // A picture has no words, and is a hundred times as long as a text.
        if text.hasPrefix("data:image/") { return text }
        return texts.redacted(text, mentions: context.mentions)
    }

    private func name(_ text: String) -> String { names[text] ?? (text.isEmpty ? "" : ChatRedaction.removed) }

    /// A picture of its own, or within a text.
    private static func isPicture(_ text: String) -> Bool {
        text.prefix(5).lowercased() == "data:" || text.contains(";base64,")
    }

    private static let longestWord = 40

    private static func isWord(_ text: String) -> Bool {
        text.utf8.count <= longestWord
            && text.unicodeScalars.allSatisfy {
                $0.isASCIILetterOrDigit && !("0"..."9").contains($0) || $0 == "_"
            }
    }

    private static func isLink(_ key: String) -> Bool {
        let key = key.lowercased()
        return ["link", "uri", "url", "domain", "webpage"].contains(where: key.hasSuffix)
    }
}
