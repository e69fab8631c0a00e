/// The address of a page of the web, and what addresses in it lead to (RFC 3986, section 5.2, for http and https).
public struct PageAddress: Sendable, Equatable {
    /// `http` or `https`.
    public let scheme: String
    /// The host and, where it has one, the port.
    public let authority: String
    /// From the first `/` on, without a fragment.
    public let path: String

    /// How long an address is at most, in characters.
    public static let longest = 2_048

    /// - Returns: nil for what is no address of the web, has a user's name in it, or is too long.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 > 32 && $0 != 127 }),
            let end = text.firstRange(of: "://")
        else { return nil }
        scheme = text[..<end.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = text[end.upperBound...].prefix { $0 != "#" }
        let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "\\" }
        // A name before the host would hide what the host is.
        guard !host.isEmpty, !host.contains("@") else { return nil }
        authority = host.lowercased()
        let tail = rest[host.endIndex...]
        path = tail.first == "/" ? String(tail) : "/" + tail
    }

    /// The whole address.
    public var text: String { "\(scheme)://\(authority)\(path)" }

    /// The address that a link in the page means; nil where it leads out of the web.
    public func resolve(_ link: String) -> String? {
        if link.hasPrefix("//") { return PageAddress("\(scheme):\(link)")?.text }
        // A colon before every slash ends a scheme.
        if let colon = link.firstIndex(of: ":"), !link[..<colon].contains(where: { "/?#".contains($0) }) {
            return PageAddress(link)?.text
        }
        guard !link.isEmpty else { return nil }
        if link.first == "/" { return PageAddress("\(scheme)://\(authority)\(link)")?.text }
        let folder = path.prefix { $0 != "?" }
        let start = folder.lastIndex(of: "/").map { folder[...$0] } ?? "/"
        return PageAddress("\(scheme)://\(authority)\(start)\(link)")?.text
    }
}
