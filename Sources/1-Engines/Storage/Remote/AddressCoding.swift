import ValiseEncoding

/// Bytes of URLs that stand as `%XX` (RFC 3986).
package enum AddressCoding {
    /// Letters, digits, `-`, `.`, `_` and `~` stay.
    /// - Parameter kept: what stays too, such as the slashes of a path.
    package static func encode(_ text: String, keeping kept: String = "") -> String {
        encode(text.utf8) { isUnreserved($0) || kept.utf8.contains($0) }
    }

    /// A path as users type it, with what a URL cannot have encoded and the rest as it is.
    static func completed(_ text: Substring) -> String {
        encode(text.utf8) { (33..<127).contains($0) && !#""<>\^`{|}"#.utf8.contains($0) }
    }

    private static func encode(_ bytes: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool) -> String {
        var encoded: [UInt8] = []
        for byte in bytes {
            if isKept(byte) {
                encoded.append(byte)
            } else {
                encoded += "%\(Hexadecimal.encode([byte]).uppercased())".utf8
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Nil for a percent sign without two digits behind it, and for what is not UTF-8.
    static func decode(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte != UInt8(ascii: "%") {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Hexadecimal.value),
                let low = rest.popFirst().flatMap(Hexadecimal.value)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
