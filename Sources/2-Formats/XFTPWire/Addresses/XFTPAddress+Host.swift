extension XFTPAddress.Host {
    private static let longestName = 255

    /// Reads one host: IPv4, IPv6 with or without brackets, `*.onion`, or a domain.
    /// - Throws: ``XFTPWireError``: `invalid`.
    package init(_ text: some StringProtocol) throws(XFTPWireError) {
        guard (1...Self.longestName).contains(text.utf8.count) else {
            throw .address("a host must have 1 to \(Self.longestName) bytes")
        }
        if text.hasPrefix("["), text.hasSuffix("]") {
            guard let address = IPv6Address(text.dropFirst().dropLast()) else {
                throw .address("the host in brackets is not an IPv6 address")
            }
            self = .ipv6(address.text)
        } else if let address = IPv6Address(text) {
            self = .ipv6(address.text)
        } else if let octets = IPv4Address.octets(of: text) {
            self = .ipv4(octets.map { "\($0)" }.joined(separator: "."))
        } else {
            self = try Self.name(String(text))
        }
    }

    /// In any spelling, a name that ends with `.onion` must not be asked of a name server.
    private static func name(_ text: String) throws(XFTPWireError) -> Self {
        let lowercase = text.lowercased()
        if lowercase.hasSuffix(".onion") {
            guard lowercase.utf8.allSatisfy(isLetterDigitOrPoint) else {
                throw .address("a .onion host may contain only letters, digits and dots")
            }
            return .onion(lowercase)
        }
        guard text.unicodeScalars.allSatisfy(isAllowed) else {
            throw .address("the host contains an invalid character")
        }
        return .domain(text)
    }

    private static func isLetterDigitOrPoint(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Beside what the protocol excludes, nothing that could end the text of an address elsewhere.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ":", "#", ",", ";", "/", "@", "[", "]", "?", "\\", "\"", "'", "<", ">", "%": false
        default: !scalar.properties.isWhitespace && !Self.isControl(scalar)
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            true
        default: false
        }
    }

    /// As addresses have it; IPv6 without brackets.
    package var text: String {
        switch self {
        case .ipv4(let text), .ipv6(let text), .onion(let text), .domain(let text): text
        }
    }

    /// As it stands before a port and in URLs.
    package var bracketedText: String {
        if case .ipv6(let text) = self { return "[\(text)]" }
        return text
    }

    /// Whether it is reached through a proxy only.
    package var isOnion: Bool {
        if case .onion = self { return true }
        return false
    }
}

extension XFTPAddress {
    /// The host to connect to: through a SOCKS proxy the first onion host, else the first other; the first of all
    /// where there is none of the kind.
    package func host(throughProxy: Bool) -> Host {
        hosts.first { $0.isOnion == throughProxy } ?? hosts[0]
    }
}

// MARK: Order

/// The order in which descriptions list relays: by hosts, by the text of the port, by fingerprint.
extension XFTPAddress: Comparable {
    public static func < (left: XFTPAddress, right: XFTPAddress) -> Bool {
        if left.hosts != right.hosts { return left.hosts.lexicographicallyPrecedes(right.hosts) }
        if left.port != right.port { return left.portText < right.portText }
        return left.fingerprint.lexicographicallyPrecedes(right.fingerprint)
    }

    private var portText: String { port.map { "\($0)" } ?? "" }
}

extension XFTPAddress.Host: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        left.sortingKey.lexicographicallyPrecedes(right.sortingKey)
    }

    /// The kind, then the bytes of the number or name.
    private var sortingKey: [UInt8] {
        switch self {
        case .ipv4(let text): [0] + (IPv4Address.octets(of: text) ?? Array(text.utf8))
        case .ipv6(let text): [1] + (IPv6Address(text)?.bytes ?? Array(text.utf8))
        case .onion(let text): [2] + Array(text.utf8)
        case .domain(let text): [3] + Array(text.utf8)
        }
    }
}
