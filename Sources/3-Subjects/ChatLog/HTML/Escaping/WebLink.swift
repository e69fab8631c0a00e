/// Addresses that a page may link to.
enum WebLink {
    private static let schemes = ["http://", "https://", "mailto:", "tel:", "simplex:/"]

    /// What stays as it is in an address: characters of RFC 3986, and `%` of what is encoded already.
    private static let ofAddresses = Set("-._~:/?#[]@!$&'()*+,;=%".utf8)
    private static let ofPaths = Set("-._~/".utf8)
    private static let ofValues = Set("-._~".utf8)

    /// - Returns: the address with anything unusual encoded; nil where its scheme is none of those that may be linked.
    static func address(_ text: some StringProtocol) -> String? {
        let beginning = text.prefix(9).lowercased()
        guard schemes.contains(where: beginning.hasPrefix) else { return nil }
        return encoded(text.utf8, ofAddresses)
    }

    /// The address of a word that may have no scheme.
    static func web(_ text: String) -> String? { address(text) ?? address("https://\(text)") }

    /// The address of a telephone.
    static func telephone(_ text: String) -> String {
        "tel:" + String(decoding: text.utf8.filter { isDigit($0) || $0 == UInt8(ascii: "+") }, as: UTF8.self)
    }

    /// The address of a file by its path below the folder of the export.
    static func path(_ path: String) -> String { encoded(path.utf8, ofPaths) }

    /// A value in the query of an address.
    static func value(_ text: String) -> String { encoded(text.utf8, ofValues) }

    /// What follows the `#` of an address.
    static func fragment(_ text: String) -> String { encoded(text.utf8, ofPaths) }

    /// The host of an address, for people.
    static func host(_ address: String) -> Substring {
        guard let colon = address.firstIndex(of: ":") else { return address[...] }
        let authority = address[colon...].dropFirst().drop { $0 == "/" }.prefix { !"/?#".contains($0) }
        return authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    }

    private static func encoded(_ bytes: some Sequence<UInt8>, _ kept: Set<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            if isDigit(byte) || isLetter(byte) || kept.contains(byte) {
                text.append(byte)
            } else {
                text.append(UInt8(ascii: "%"))
                text.append(digit(byte >> 4))
                text.append(digit(byte & 15))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 32)
    }
}
