import ValiseEncoding

/// What a browser asks for: the path and the query of an address, decoded.
package struct PageAddress: Sendable, Equatable {
    /// The names of the path; none for the first page.
    package let path: [String]
    /// The first value of each name.
    package let query: [String: String]

    private static let mostBytes = 8192

    /// - Parameter target: as a request has it, such as `/pages/contact-4/2025-03.html?steps=1`.
    /// - Returns: nil for what is none, or leads out of the folder that it seems to be in.
    package init?(_ target: String) {
        guard target.utf8.first == UInt8(ascii: "/"), target.utf8.count <= Self.mostBytes else { return nil }
        let parts = target.dropFirst().split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path: [String] = []
        for name in parts[0].split(separator: "/", omittingEmptySubsequences: false) {
            guard let name = Self.decoded(name), !name.utf8.contains(UInt8(ascii: "/")), name != "..",
                name != "."
            else { return nil }
            path.append(name)
        }
        if path.last == "" { path.removeLast() }
        guard !path.contains("") else { return nil }
        var query: [String: String] = [:]
        for field in parts.dropFirst().joined().split(separator: "&") {
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(pair[0], plusIsSpace: true),
                let value = Self.decoded(pair.count > 1 ? pair[1] : "", plusIsSpace: true)
            else { return nil }
            if query[name] == nil { query[name] = value }
        }
        self.path = path
        self.query = query
    }

    /// Nil where a percent sign is followed by no number, for controls, and for what is no UTF-8.
    private static func decoded(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(Hexadecimal.value),
                    let low = rest.popFirst().flatMap(Hexadecimal.value)
                else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        guard !bytes.contains(where: { $0 < 32 || $0 == 127 }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
