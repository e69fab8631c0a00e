import ValiseFailures

/// Answers that name another place. Only places on the same host are followed: what comes with a request, a password or a
/// file, is for that host.
enum HTTPRedirect {
    /// Where to ask again; nil where the answer is none of these, and is the caller's.
    /// - Throws: ``StorageError`` for another host.
    static func target(of response: HTTPResponse, to request: HTTPRequest) throws(StorageError) -> String? {
        guard request.followsRedirects, isFollowed(response.status, request.method),
            let place = response["location"], let from = origin(of: request.url)
        else { return nil }
        if place.hasPrefix("/"), !place.hasPrefix("//") { return from.text + place }
        guard let to = origin(of: place) else { return nil }
        guard to.text == from.text || to.isUpgrade(of: from) else {
            let shown = to.host.replacingControls { _ in "?" }
            throw StorageError(
                .general, .denied, "the server redirects to another host, \(shown)", request.shownURL,
                remedy: .checkServerAddress)
        }
        return place
    }

    private static func isFollowed(_ status: Int, _ method: HTTPRequest.Method) -> Bool {
        switch status {
        case 307, 308: true
        // Other methods would become GET.
        case 301, 302, 303: method == .get || method == .head
        default: false
        }
    }

    private struct Origin {
        let scheme: String
        let host: String
        let port: Int?
        var text: String { "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "") }

        /// The same host with encryption, both at their usual ports.
        func isUpgrade(of other: Origin) -> Bool {
            scheme == "https" && other.scheme == "http" && host == other.host && port == nil
                && other.port == nil
        }
    }

    private static func origin(of url: String) -> Origin? {
        guard let mark = url.firstRange(of: "://") else { return nil }
        let end = url[mark.upperBound...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? url.endIndex
        guard let address = try? HTTPAddress(String(url[..<end])), address.user == nil else { return nil }
        return Origin(scheme: address.scheme, host: address.host, port: address.port)
    }
}
