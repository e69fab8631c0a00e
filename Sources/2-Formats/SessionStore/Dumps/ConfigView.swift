package import ValiseEncoding

/// What is shown of a configuration: a tree of typed values with the keys that it has.
///
/// Most keys have one letter, and the fact sheet does not say what they mean, so they are shown as they are. Strings of
/// bytes that are no text may be keys of groups, pictures or accounts: they are shown only where that is asked for.
package struct ConfigView: Sendable {
    /// Whether strings that are no text are shown, in hexadecimal digits, instead of their lengths.
    package let showsBytes: Bool

    package init(showsBytes: Bool = false) { self.showsBytes = showsBytes }

    /// The tree as JSON: a text is a text; a Session ID is its digits; other bytes are an object with `bytes`, their number,
    /// and `hex` where they are shown. A key that is no text is `0x` and its digits.
    package func json(_ value: BencodeValue) -> JSONNode {
        switch value {
        case .integer(let number): .number("\(number)")
        case .large(let number): .number("\(number)")
        case .bytes(let bytes): json(bytes)
        case .list(let values): .array(values.map { json($0) })
        case .dictionary(let dictionary): json(dictionary)
        }
    }

    /// A dictionary as JSON; see ``json(_:)-(BencodeValue)``.
    package func json(_ dictionary: BencodeDictionary) -> JSONNode {
        .object(dictionary.entries.map { JSONNode.Member(Self.name($0.key), json($0.value)) })
    }

    private func json(_ bytes: BencodeBytes) -> JSONNode {
        if let id = bytes.accountID { return .text(id.description) }
        if let text = bytes.text { return .text(text) }
        let count = JSONNode.Member("bytes", .number("\(bytes.count)"))
        guard showsBytes else { return .object([count]) }
        return .object([count, JSONNode.Member("hex", .text(Hexadecimal.encode(bytes.revealed())))])
    }

    private static func name(_ key: [UInt8]) -> String {
        if let id = AccountID(key) { return id.description }
        return BencodeText.decode(key) ?? "0x" + Hexadecimal.encode(key)
    }
}
