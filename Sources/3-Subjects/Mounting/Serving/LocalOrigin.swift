/// What requests to a server of this machine say of where they come from.
package struct LocalOrigin: Sendable {
    private let hosts: Set<String>

    /// - Parameter port: the one that the server listens on.
    package init(port: Int) {
        let names = ["127.0.0.1", "localhost"]
        hosts = Set(names.map { "\($0):\(port)" } + (port == 80 ? names : []))
    }

    /// Whether the server was asked for by its own name. The name of another host leads here where somebody else's name server
    /// says so.
    /// - Parameter values: of the field `Host`.
    package func isNamed(by values: [String]) -> Bool {
        values.count == 1 && hosts.contains(values[0].lowercased())
    }

    /// Whether no page of another server asks. Other servers of this machine count as the same site: their pages could ask with
    /// what a browser remembers for this one.
    ///
    /// - Parameters:
    ///   - origins: the values of the field `Origin`.
    ///   - sites: the values of the field `Sec-Fetch-Site`.
    package func isOwn(origins: [String], sites: [String]) -> Bool {
        origins.allSatisfy { origin in hosts.contains { origin.lowercased() == "http://\($0)" } }
            && sites.allSatisfy { ["same-origin", "none"].contains($0) }
    }
}
