import ValiseEncoding

/// The path of a request: names of any bytes, decoded.
struct RequestPath: Sendable, Equatable {
    /// None for the root.
    let names: [[UInt8]]

    private static let mostBytes = 8192

    /// - Parameter target: as a request has it, such as `/a%20b/c`. A query is ignored.
    /// - Returns: nil for what is no path, or leads out of the folder that it seems to be in.
    init?(_ target: String) {
        guard target.utf8.first == UInt8(ascii: "/"), target.utf8.count <= Self.mostBytes else { return nil }
        let path = target.utf8.dropFirst().prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        var names: [[UInt8]] = []
        for part in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let name = Self.decoded(part) else { return nil }
            names.append(name)
        }
        if names.last == [] { names.removeLast() }
        let dot = UInt8(ascii: ".")
        guard
            !names.contains(where: {
                $0.isEmpty || $0 == [dot] || $0 == [dot, dot] || $0.contains(0)
                    || $0.contains(UInt8(ascii: "/"))
            })
        else { return nil }
        self.names = names
    }

    init(names: [[UInt8]]) { self.names = names }

    /// Nil where a percent sign is followed by no number.
    private static func decoded(_ text: Substring.UTF8View.SubSequence) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Hexadecimal.value),
                let low = rest.popFirst().flatMap(Hexadecimal.value)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// The text of a name in an address.
    static func encoded(_ name: [UInt8]) -> String {
        var text: [UInt8] = []
        for byte in name {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                text.append(byte)
            default:
                text.append(UInt8(ascii: "%"))
                text += Hexadecimal.encode([byte]).uppercased().utf8
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
