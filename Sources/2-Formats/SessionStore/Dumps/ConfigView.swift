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

extension BencodeBytes {
    /// The Session ID; nil where the bytes are none.
    package var accountID: AccountID? {
        guard count == AccountID.byteCount, unsafe withBytes({ unsafe $0.first == AccountID.prefix }) else {
            return nil
        }
        return AccountID(revealed())
    }

    /// The text; nil where the bytes are no UTF-8, or contain control characters other than line breaks and tabs.
    package var text: String? {
        guard unsafe withBytes({ unsafe BencodeText.isText($0) }) else { return nil }
        return BencodeText.decode(revealed())
    }
}

/// Which bytes are text.
enum BencodeText {
    static func isText(_ bytes: some Sequence<UInt8>) -> Bool {
        var (input, decoder) = (bytes.makeIterator(), UTF8())
        while true {
            switch decoder.decode(&input) {
            case .scalarValue(let scalar):
                let isBreak = scalar == "\n" || scalar == "\r" || scalar == "\t"
                if scalar.properties.generalCategory == .control, !isBreak { return false }
            case .emptyInput: return true
            case .error: return false
            }
        }
    }

    static func decode(_ bytes: [UInt8]) -> String? {
        isText(bytes) ? String(decoding: bytes, as: UTF8.self) : nil
    }
}

extension BencodeValue {
    /// What is kept of accounts: every entry of a dictionary, at any level, whose key is a Session ID. Of a dump of contacts, that
    /// are the contacts.
    package func accounts() -> [(id: AccountID, value: BencodeValue)] {
        switch self {
        case .list(let values): values.flatMap { $0.accounts() }
        case .dictionary(let dictionary): dictionary.accounts()
        default: []
        }
    }
}

extension BencodeDictionary {
    /// As ``BencodeValue/accounts()``.
    package func accounts() -> [(id: AccountID, value: BencodeValue)] {
        entries.flatMap { entry in
            (AccountID(entry.key).map { [(id: $0, value: entry.value)] } ?? []) + entry.value.accounts()
        }
    }
}
