import ValiseEncoding
import ValiseFailures

extension XFTPAddress {
    /// The longest text that is read, in bytes.
    static let longestText = 8192
    /// A relay has a few names at most.
    static let mostHosts = 16

    private static let scheme = "xftp://"
    private static let fingerprintByteCount = 32

    /// Reads `xftp://<fingerprint>@<host>[,<host>…][:<port>]`; the fingerprint with or without its padding.
    ///
    /// - Throws: ``XFTPWireError``: `invalid`, also for an address with a password, which only `RelayAccess` may hold.
    package init(_ text: some StringProtocol) throws(XFTPWireError) {
        let parts = try Parts(text)
        guard parts.password == nil else {
            throw .address("an address with a password is not allowed here")
        }
        try self.init(parts)
    }

    init(_ parts: Parts) throws(XFTPWireError) {
        (hosts, port) = try Self.places(parts.places)
        fingerprint = parts.fingerprint
    }

    /// The address as descriptions and configurations have it, the fingerprint padded. Never with a password.
    package var text: String { Self.scheme + Base64URL.encode(fingerprint) + "@" + placesText }

    /// Where it listens: ``port``, or that of the protocol.
    package var effectivePort: UInt16 { port ?? Self.defaultPort }

    /// Hosts and port. An address of IPv6 stands in brackets where a port follows, which could be read as its end.
    var placesText: String {
        guard let port else { return hosts.map(\.text).joined(separator: ",") }
        return (hosts.dropLast().map(\.text) + [hosts[hosts.count - 1].bracketedText]).joined(separator: ",")
            + ":\(port)"
    }

    // MARK: Parts

    /// The three parts of an address with or without a password.
    struct Parts {
        let fingerprint: [UInt8]
        let password: Substring?
        let places: Substring

        init(_ text: some StringProtocol) throws(XFTPWireError) {
            guard text.utf8.count <= longestText else { throw .address("the address is too long") }
            guard text.hasPrefix(scheme) else { throw .address("a relay address starts with xftp://") }
            let rest = Substring(text.dropFirst(scheme.count))
            guard let sign = rest.firstIndex(of: "@") else {
                throw .address("a relay address has a fingerprint and @ before the host")
            }
            let identity = rest[..<sign]
            places = rest[rest.index(after: sign)...]
            let colon = identity.firstIndex(of: ":")
            password = colon.map { identity[identity.index(after: $0)...] }
            fingerprint = try Self.fingerprint(identity[..<(colon ?? identity.endIndex)])
        }

        /// Any number of `=` may follow.
        private static func fingerprint(_ text: Substring) throws(XFTPWireError) -> [UInt8] {
            let digits = text[..<(text.lastIndex { $0 != "=" }.map(text.index(after:)) ?? text.startIndex)]
            guard let bytes = Base64URL.decode(digits), bytes.count == fingerprintByteCount else {
                throw .address("the fingerprint must be 32 bytes in base64url, about 44 characters")
            }
            return bytes
        }
    }

    /// Hosts and port out of what follows the `@`.
    private static func places(_ text: Substring) throws(XFTPWireError) -> ([Host], UInt16?) {
        var names = text.split(separator: ",", omittingEmptySubsequences: false)
        guard let last = names.popLast(), names.count < mostHosts else {
            throw .address("a relay address has 1 to \(mostHosts) hosts")
        }
        var hosts: [Host] = []
        for name in names { hosts.append(try Host(name)) }
        let (host, port) = try lastPlace(last)
        hosts.append(host)
        return (hosts, port)
    }

    private static func lastPlace(_ text: Substring) throws(XFTPWireError) -> (Host, UInt16?) {
        // Without brackets, all of it may be one address of IPv6.
        if !text.contains(":") || IPv6Address(text) != nil { return (try Host(text), nil) }
        guard let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") else { return (try Host(text), nil) }
        let digits = text[text.index(after: colon)...]
        // `host:` has the port of the protocol.
        if digits.isEmpty { return (try Host(text[..<colon]), nil) }
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(digits), port > 0 else {
            throw .address("the port must be a number from 1 to 65535")
        }
        return (try Host(text[..<colon]), port)
    }
}

extension XFTPAddress: CustomStringConvertible {
    public var description: String { text }
}

extension XFTPAddress: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(String(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

extension XFTPWireError {
    static func address(_ message: String) -> XFTPWireError { XFTPWireError(.invalid, message) }
}
