import ValiseFailures

/// Where a repository on an SFTP server is, as restic writes it.
///
/// `sftp://user@host:port/path`, percent-encoded, or `sftp:user@host:path`, where everything stands for itself. In both a path is
/// that from the user's home folder on, unless it begins with a slash of its own: `sftp://host//srv/repository` and
/// `sftp:host:/srv/repository` are the same.
package struct SFTPLocation: Sendable, Hashable {
    /// Who logs in; nil for whom the settings of ssh name.
    package let user: String?
    /// A name, an address, or what the settings of ssh have a section for; without brackets.
    package let host: String
    /// Nil for that of the settings of ssh.
    package let port: Int?
    /// Of the repository on the server, without a slash at its end unless it is the root.
    package let path: String

    /// - Parameter text: in either form.
    /// - Throws: ``StorageError``: `invalid`, also for a password, which every user of the machine could read in the list of
    ///   processes; and for hosts and users that ssh could take for one of its options.
    package init(_ text: String) throws(StorageError) {
        let parts: Parts
        if let rest = Self.rest(of: text, after: "sftp://") {
            parts = try Self.partsOfURL(rest)
        } else if let rest = Self.rest(of: text, after: "sftp:") {
            parts = try Self.partsOfShortForm(rest)
        } else {
            throw Self.invalid(Self.notAnAddress)
        }
        guard !parts.host.isEmpty, parts.host.utf8.allSatisfy(Self.isHostByte), parts.host.first != "-" else {
            throw Self.invalid("the host in the address is invalid")
        }
        if let user = parts.user, user.isEmpty || user.first == "-" || !user.utf8.allSatisfy(Self.isUserByte)
        {
            throw Self.invalid("the user name in the address is invalid")
        }
        (user, host, port) = (parts.user, parts.host, parts.port)
        path = try Self.cleaned(parts.path)
    }

    /// As ``init(_:)`` reads it, in the form of a URL.
    package var text: String {
        let login = user.map { AddressCoding.encode($0) + "@" } ?? ""
        let name = host.contains(":") ? "[\(AddressCoding.encode(host, keeping: ":"))]" : host
        let place = port.map { ":\($0)" } ?? ""
        return "sftp://\(login)\(name)\(place)/\(AddressCoding.encode(path, keeping: "/"))"
    }

    /// The path on the server of something in the repository.
    func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

    // MARK: Parts

    private struct Parts {
        var user: String?
        var host: String
        var port: Int?
        var path: String
    }

    private static let notAnAddress =
        "not an address of an SFTP server such as sftp://user@host/path or sftp:user@host:path"

    private static let noPassword =
        "an address may contain a user name but no password, which others could see"

    /// The address is not shown: what is wrong with it may be a password in the wrong place.
    private static func invalid(_ message: String) -> StorageError {
        StorageError(.general, .invalid, message)
    }

    private static func rest(of text: String, after scheme: String) -> Substring? {
        text.prefix(scheme.count).lowercased() == scheme ? text.dropFirst(scheme.count) : nil
    }

    private static func partsOfURL(_ text: Substring) throws(StorageError) -> Parts {
        guard let slash = text.firstIndex(of: "/") else {
            throw invalid("the address names no folder on the server")
        }
        var (user, host) = try login(text[..<slash])
        var port: Int?
        // The last colon, unless it is one within brackets.
        if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
            guard let number = UInt16(host[host.index(after: colon)...]), number > 0 else {
                throw invalid("the port in the address is invalid")
            }
            port = Int(number)
            host = host[..<colon]
        }
        user = try user.map { (text) throws(StorageError) in try decoded(text) }
        let path = try decoded(String(text[text.index(after: slash)...]))
        return Parts(user: user, host: try decoded(try unbracketed(host)), port: port, path: path)
    }

    private static func partsOfShortForm(_ text: Substring) throws(StorageError) -> Parts {
        // The first colon, unless the host is in brackets.
        let start = text.firstRange(of: "[").flatMap { text[$0.upperBound...].firstIndex(of: "]") }
        guard let colon = text[(start ?? text.startIndex)...].firstIndex(of: ":") else {
            throw invalid(notAnAddress)
        }
        let (user, host) = try login(text[..<colon])
        let path = text[text.index(after: colon)...]
        // `user:password@host:path` would be a host and a path for restic, and the password a part of messages.
        if user == nil, let at = path.firstIndex(of: "@"), path[at...].contains(":"),
            !path[..<at].contains("/")
        {
            throw invalid(noPassword)
        }
        return Parts(user: user, host: try unbracketed(host), port: nil, path: String(path))
    }

    private static func login(_ text: Substring) throws(StorageError) -> (user: String?, host: Substring) {
        guard let at = text.lastIndex(of: "@") else { return (nil, text) }
        let user = text[..<at]
        guard !user.contains(":") else {
            throw invalid(noPassword)
        }
        return (String(user), text[text.index(after: at)...])
    }

    private static func unbracketed(_ host: Substring) throws(StorageError) -> String {
        guard host.hasPrefix("[") else {
            guard !host.contains(where: { "[]:".contains($0) }) else { throw invalid(notAnAddress) }
            return String(host)
        }
        guard host.hasSuffix("]") else { throw invalid(notAnAddress) }
        return String(host.dropFirst().dropLast())
    }

    private static func cleaned(_ text: String) throws(StorageError) -> String {
        var path = text
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard !path.isEmpty else { throw invalid("the address names no folder on the server") }
        guard !path.utf8.contains(where: { $0 < 32 || $0 == 127 }) else {
            throw invalid("the path in the address contains control characters")
        }
        // A shell would replace it, a server does not.
        guard !path.hasPrefix("~") else {
            throw invalid(
                "the path in the address begins with a tilde, which servers do not replace. A path without a slash at its "
                    + "beginning is one in the home folder.")
        }
        return path
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._:%".utf8.contains(byte)
        }
    }

    private static func isUserByte(_ byte: UInt8) -> Bool { byte > 32 && byte != 127 }

    private static func decoded(_ text: String) throws(StorageError) -> String {
        guard let decoded = AddressCoding.decode(text) else {
            throw invalid("the address is not percent-encoded UTF-8, in which %25 is a percent sign")
        }
        return decoded
    }
}
