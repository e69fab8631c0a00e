/// Which properties a PROPFIND asks for (RFC 4918, section 9.1).
enum PropertyRequest: Sendable, Equatable {
    /// All that there are.
    case all
    /// Their names alone.
    case names
    case some([PropertyName])

    private static let dav = PropertyName.dav

    /// - Parameter body: of the request; empty for all properties.
    /// - Throws: ``XMLDefect``.
    init(_ body: [UInt8]) throws(XMLDefect) {
        guard !body.isEmpty else {
            self = .all
            return
        }
        let elements = try XMLElements.read(body)
        guard let root = elements.first, root.namespace == Self.dav, root.name == "propfind" else {
            throw XMLDefect()
        }
        let parts = elements.filter { $0.depth == 1 && $0.namespace == Self.dav }
        let kinds = parts.map(\.name).filter { ["allprop", "propname", "prop"].contains($0) }
        guard kinds.count == 1 else { throw XMLDefect() }
        switch kinds[0] {
        case "allprop": self = .all
        case "propname": self = .names
        default:
            var names: [PropertyName] = []
            for element in elements where element.depth == 2 {
                let name = PropertyName(namespace: element.namespace, name: element.name)
                if !names.contains(name) { names.append(name) }
            }
            self = .some(names)
        }
    }
}

/// The name of a property.
struct PropertyName: Sendable, Hashable {
    static let dav = "DAV:"

    /// Empty for none.
    let namespace: String
    let name: String
}
