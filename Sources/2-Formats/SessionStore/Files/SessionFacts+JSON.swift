package import ValiseEncoding

extension SessionFacts {
    /// As metadata and manifests have it. Fields that are not known are ignored.
    /// - Returns: nil for a kind that is not known.
    package init?(_ node: JSONNode) {
        guard let kind = node["kind"]?.textValue.flatMap(SessionKind.init) else { return nil }
        self.init(kind)
        isOpened = node["opened"]?.boolValue ?? false
        schema = node["schema"]?.integerValue
        userVersion = node["userVersion"]?.integerValue
        conversations = node["conversations"]?.integerValue
        messages = node["messages"]?.integerValue
        attachments = node["attachments"]?.integerValue ?? 0
    }

    /// The members of such an object.
    package var members: [JSONNode.Member] {
        let numbers = [
            ("schema", schema), ("userVersion", userVersion), ("conversations", conversations),
            ("messages", messages), ("attachments", attachments),
        ]
        return [JSONNode.Member("kind", .text(kind.rawValue)), .init("opened", .bool(isOpened))]
            + numbers.compactMap { name, number in
                number.map { JSONNode.Member(name, .number("\($0)")) }
            }
    }
}
