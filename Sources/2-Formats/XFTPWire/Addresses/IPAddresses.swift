/// Addresses of IPv4 as text.
enum IPv4Address {
    /// The four numbers of `127.0.0.1`; nil for anything else, leading zeros included, which some read as octal.
    static func octets(of text: some StringProtocol) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var octets: [UInt8] = []
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy(isDigit), let octet = UInt8(part),
                part == "\(octet)"
            else { return nil }
            octets.append(octet)
        }
        return octets
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

/// Addresses of IPv6 as text (RFC 4291; written as RFC 5952 says). Without zones.
struct IPv6Address {
    private let groups: [UInt16]
    private static let groupCount = 8

    /// - Returns: nil for anything else, brackets included.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 45, text.contains(":") else { return nil }
        let text = String(text)
        guard let gap = Self.gap(in: text) else {
            guard let groups = Self.groups(text[...]), groups.count == Self.groupCount else { return nil }
            self.groups = groups
            return
        }
        let tail = text[gap.upperBound...]
        guard let head = Self.groups(text[..<gap.lowerBound], mayEndAsIPv4: false),
            let tail = Self.groups(tail),
            head.count + tail.count < Self.groupCount
        else { return nil }
        groups = head + Array(repeating: 0, count: Self.groupCount - head.count - tail.count) + tail
    }

    /// Where `::` stands.
    private static func gap(in text: String) -> Range<String.Index>? {
        var index = text.startIndex
        while index < text.endIndex {
            let next = text.index(after: index)
            if text[index] == ":", next < text.endIndex, text[next] == ":" {
                return index..<text.index(after: next)
            }
            index = next
        }
        return nil
    }

    private static func groups(_ text: Substring, mayEndAsIPv4: Bool = true) -> [UInt16]? {
        if text.isEmpty { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if mayEndAsIPv4, index == parts.count - 1, let octets = IPv4Address.octets(of: part) {
                groups.append(UInt16(octets[0]) << 8 | UInt16(octets[1]))
                groups.append(UInt16(octets[2]) << 8 | UInt16(octets[3]))
                continue
            }
            guard (1...4).contains(part.utf8.count), part.allSatisfy({ $0.isASCII && $0.isHexDigit }),
                let group = UInt16(part, radix: 16)
            else { return nil }
            groups.append(group)
        }
        return groups
    }

    /// 16 bytes.
    var bytes: [UInt8] { groups.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] } }

    /// The longest run of at least two zeros, the first of equals, becomes `::`.
    var text: String {
        let digits = groups.map { String($0, radix: 16) }
        var best = 0..<0
        var start = 0
        while start < groups.count {
            var end = start
            while end < groups.count, groups[end] == 0 { end += 1 }
            if end - start > max(best.count, 1) { best = start..<end }
            start = max(end, start + 1)
        }
        if best.isEmpty { return digits.joined(separator: ":") }
        return digits[..<best.lowerBound].joined(separator: ":") + "::"
            + digits[best.upperBound...].joined(separator: ":")
    }
}
