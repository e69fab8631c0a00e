import ValiseFailures

/// Where a server is: the parts of a URL, without a password.
package struct HTTPAddress: Sendable, Hashable {
    /// `http` or `https`.
    package let scheme: String
    /// In small letters; an address of IPv6 in its brackets.
    package let host: String
    /// Nil for that of the scheme.
    package let port: Int?
    /// Empty, or from a slash on and without one at its end; percent-encoded.
    package let path: String
    /// Who logs in; nil where the address does not say.
    package let user: String?

    /// Reads `https://user@host:port/path`.
    ///
    /// - Throws: ``StorageError``: `invalid`, also for a password, which every user of the machine could read in the list of
    ///   processes.
    package init(_ text: String) throws(StorageError) {
        guard let found = Self.parts(of: text), let place = Self.hostAndPort(found.authority) else {
            throw Self.invalid("not an address of a server such as https://host/path")
        }
        var user: String?
        if let login = found.login {
            guard !login.contains(":") else {
                throw Self.invalid(
                    "an address may contain a user name but no password, which others could see")
            }
            user = AddressCoding.decode(login)
            guard user != nil, user != "" else {
                throw Self.invalid("the user name in the address is invalid")
            }
        }
        self.user = user
        (scheme, host, path) = (found.scheme, place.host, found.path)
        port = place.port == Self.usualPort(of: found.scheme) ? nil : place.port
    }

    /// The address is not shown: what is wrong with it may be a password in the wrong place.
    private static func invalid(_ message: String) -> StorageError {
        StorageError(.general, .invalid, message, remedy: .checkServerAddress)
    }

    /// As the header `Host` has it.
    package var authority: String { port.map { "\(host):\($0)" } ?? host }

    /// Without path and user.
    package var origin: String { "\(scheme)://\(authority)" }

    /// Without the user.
    package var text: String { origin + path }

    /// Whether others on the way can read along.
    package var isEncrypted: Bool { scheme == "https" }

    // MARK: Parts

    private static func usualPort(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }

    private struct Parts {
        let scheme: String
        let login: String?
        let authority: String
        let path: String
    }

    private static func parts(of text: String) -> Parts? {
        guard let mark = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<mark.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = text[mark.upperBound...]
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        guard let path = path(rest[end...]) else { return nil }
        let authority = rest[..<end]
        guard let at = authority.lastIndex(of: "@") else {
            return Parts(scheme: scheme, login: nil, authority: String(authority), path: path)
        }
        return Parts(
            scheme: scheme, login: String(authority[..<at]),
            authority: String(authority[authority.index(after: at)...]), path: path)
    }

    private static func path(_ text: Substring) -> String? {
        guard !text.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") || $0 < 32 })
        else { return nil }
        var path = AddressCoding.completed(text)
        while path.hasSuffix("/") { path.removeLast() }
        return path
    }

    private static func hostAndPort(_ authority: String) -> (host: String, port: Int?)? {
        let isBracketed = authority.hasPrefix("[")
        let bracket = isBracketed ? authority.firstIndex(of: "]") : nil
        guard !isBracketed || bracket != nil else { return nil }
        let hostEnd = bracket.map { authority.index(after: $0) } ?? authority.firstIndex(of: ":")
        let host = authority[..<(hostEnd ?? authority.endIndex)].lowercased()
        guard !host.isEmpty, host.utf8.allSatisfy({ isHostByte($0, isBracketed: isBracketed) }) else {
            return nil
        }
        guard let hostEnd, hostEnd < authority.endIndex else { return (host, nil) }
        let digits = authority[hostEnd...].dropFirst()
        guard authority[hostEnd] == ":", let port = UInt16(digits), port > 0 else { return nil }
        return (host, Int(port))
    }

    private static func isHostByte(_ byte: UInt8, isBracketed: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"), UInt8(ascii: "%"): isBracketed
        default: false
        }
    }
}
