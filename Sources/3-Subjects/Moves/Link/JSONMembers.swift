import ValiseEncoding

/// A JSON object as it is written: the name of each member, and where its value is, so that what is not known here stays byte
/// for byte.
struct JSONMembers: Sendable, Equatable {
    struct Member: Sendable, Equatable {
        let name: String
        /// JSON.
        let value: String
        /// Of the name's first quote, and behind the value, in ``JSONMembers/text``.
        fileprivate let range: Range<Int>
        fileprivate let valueRange: Range<Int>

        static func == (left: Member, right: Member) -> Bool {
            left.name == right.name && left.value == right.value
        }
    }

    private(set) var members: [Member] = []
    private(set) var text: [UInt8]

    /// What is deeper is no settings of any app.
    private static let deepest = 64

    /// An object without members.
    init() { text = Array("{}".utf8) }

    /// - Returns: nil for what is no JSON, no object, or an object with two members of one name.
    init?(_ json: String) {
        // Whether it is JSON at all, and not too deep, the decoder knows; here only the places are looked for.
        guard JSONText.isValid(json) else { return nil }
        text = Array(json.utf8)
        var scanner = Scanner(text: text)
        guard scanner.take("{") else { return nil }
        var names: Set<String> = []
        if scanner.take("}") { return }
        repeat {
            guard let member = scanner.member(), names.insert(member.name).inserted else { return nil }
            members.append(member)
        } while scanner.take(",")
        guard scanner.take("}") else { return nil }
    }

    /// The JSON of a member; nil for none, and for `null`.
    subscript(_ name: String) -> String? {
        members.first { $0.name == name && $0.value != "null" }?.value
    }

    /// The same as a value.
    /// - Throws: what the decoder throws where it is another kind of value.
    func value<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value? {
        try self[name].map { try JSONText.decode(Value.self, from: $0) }
    }

    /// All members but those that are named.
    func without(_ names: Set<String>) -> JSONMembers {
        Self(members.filter { !names.contains($0.name) }.map { ($0.name, $0.value) })
    }

    /// An object of these members, without spaces.
    /// - Parameter members: names and JSON.
    init(_ members: [(String, String)]) {
        let inner = members.map { "\(Self.quoted($0.0)):\($0.1)" }.joined(separator: ",")
        self = Self("{\(inner)}") ?? Self()
    }

    /// Text as JSON.
    static func quoted(_ text: String) -> String { (try? JSONText.encode(text)) ?? "\"\"" }

    /// With another value, in the place of the previous one or at the end. All else stays as it is written.
    /// - Parameter value: JSON; nil to take the member away.
    func setting(_ name: String, to value: String?) -> JSONMembers {
        var text = text
        let previous = members.firstIndex { $0.name == name }
        switch (previous, value) {
        case (nil, nil): return self
        case (let index?, let value?): text.replaceSubrange(members[index].valueRange, with: value.utf8)
        case (nil, let value?):
            let new = Array("\(members.isEmpty ? "" : ",")\(Self.quoted(name)):\(value)".utf8)
            // Behind the last value; in an object without any, behind its brace.
            let brace = (text.firstIndex(of: UInt8(ascii: "{")) ?? 0) + 1
            text.insert(contentsOf: new, at: members.last?.range.upperBound ?? brace)
        case (let index?, nil):
            let start = index == 0 ? members[0].range.lowerBound : members[index - 1].range.upperBound
            let isFirstOfMany = index == 0 && members.count > 1
            let end = isFirstOfMany ? members[1].range.lowerBound : members[index].range.upperBound
            text.removeSubrange(start..<end)
        }
        return Self(String(decoding: text, as: UTF8.self)) ?? self
    }

    static func == (left: JSONMembers, right: JSONMembers) -> Bool { left.members == right.members }

    /// Finds the ends of values. It is stricter than the decoder about commas and text, and leaves numbers to it.
    private struct Scanner {
        let text: [UInt8]
        var position = 0

        private var byte: UInt8? { position < text.count ? text[position] : nil }

        private mutating func skipSpace() {
            while let byte, [0x20, 0x09, 0x0a, 0x0d].contains(byte) { position += 1 }
        }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            skipSpace()
            guard byte == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        mutating func member() -> Member? {
            skipSpace()
            let start = position
            guard skipString(),
                let name = try? JSONText.decode(String.self, from: Array(text[start..<position])), take(":")
            else { return nil }
            skipSpace()
            let valueStart = position
            guard skipValue(depth: 1) else { return nil }
            return Member(
                name: name, value: String(decoding: text[valueStart..<position], as: UTF8.self),
                range: start..<position, valueRange: valueStart..<position)
        }

        private mutating func skipString() -> Bool {
            guard byte == UInt8(ascii: "\"") else { return false }
            position += 1
            while let next = byte, next != UInt8(ascii: "\"") {
                guard next >= 0x20 else { return false }
                position += next == UInt8(ascii: "\\") ? 2 : 1
            }
            position += 1
            return position <= text.count
        }

        private mutating func skipValue(depth: Int) -> Bool {
            guard depth <= JSONMembers.deepest else { return false }
            skipSpace()
            switch byte {
            case UInt8(ascii: "\""): return skipString()
            case UInt8(ascii: "{"): return skipList(until: "}", hasNames: true, depth: depth)
            case UInt8(ascii: "["): return skipList(until: "]", hasNames: false, depth: depth)
            default:
                let start = position
                let ends = Array(",]} \t\n\r".utf8)
                while let byte, !ends.contains(byte) { position += 1 }
                return position > start
            }
        }

        private mutating func skipList(until end: Unicode.Scalar, hasNames: Bool, depth: Int) -> Bool {
            position += 1
            if take(end) { return true }
            repeat {
                if hasNames {
                    skipSpace()
                    guard skipString(), take(":") else { return false }
                }
                guard skipValue(depth: depth + 1) else { return false }
            } while take(",")
            return take(end)
        }
    }
}
