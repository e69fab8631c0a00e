/// The address of a page of the web, and what addresses in it lead to (RFC 3986, section 5.2, for `http` and `https`).
package struct WebPageAddress: Sendable, Equatable {
    /// `http` or `https`.
    package let scheme: String
    /// The host and, where it has one, the port.
    package let authority: String
    /// From the first `/` on, without a fragment.
    package let path: String

    /// How long an address is at most, in characters.
    package static let longest = 2_048

    /// - Returns: nil for what is no address of the web, has a user's name in it, or is too long.
    package init?(_ text: String) {
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
    package var text: String { "\(scheme)://\(authority)\(path)" }

    /// The address that a link in the page means; nil where it leads out of the web.
    package func resolve(_ link: String) -> String? {
        if link.hasPrefix("//") { return WebPageAddress("\(scheme):\(link)")?.text }
        // A colon before every slash ends a scheme.
        if let colon = link.firstIndex(of: ":"), !link[..<colon].contains(where: { "/?#".contains($0) }) {
            return WebPageAddress(link)?.text
        }
        guard !link.isEmpty else { return nil }
        if link.first == "/" { return WebPageAddress("\(scheme)://\(authority)\(link)")?.text }
        let folder = path.prefix { $0 != "?" }
        let start = folder.lastIndex(of: "/").map { folder[...$0] } ?? "/"
        return WebPageAddress("\(scheme)://\(authority)\(start)\(link)")?.text
    }
}
