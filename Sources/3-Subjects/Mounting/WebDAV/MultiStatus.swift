import ValiseStorage

/// Writes the answer to a PROPFIND (RFC 4918, section 13), entry by entry.
struct MultiStatus: Sendable {
    private let request: PropertyRequest
    private(set) var bytes: [UInt8]

    init(_ request: PropertyRequest) {
        self.request = request
        bytes = Array(#"<?xml version="1.0" encoding="utf-8"?>"#.utf8)
        bytes += Array("\n<D:multistatus xmlns:D=\"DAV:\">\n".utf8)
    }

    /// Takes what was written so far.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    mutating func end() { write("</D:multistatus>\n") }

    /// Adds an entry.
    /// - Parameters:
    ///   - address: encoded, with a slash at the end of a folder's.
    ///   - name: nil for the root.
    mutating func add(_ address: String, _ name: [UInt8]?, _ item: TreeItem) {
        write("<D:response><D:href>")
        // All that is encoded has no characters that XML would take for its own.
        write(address)
        write("</D:href>")
        let properties = Self.properties(name, item)
        switch request {
        case .all: write(properties, status: "200 OK")
        case .names: write(properties.map { ($0.name, "") }, status: "200 OK")
        case .some(let names):
            let known = properties.filter { property in
                names.contains { $0.namespace == PropertyName.dav && $0.name == property.name }
            }
            let others = names.filter { name in
                name.namespace != PropertyName.dav || !known.contains { $0.name == name.name }
            }
            if !known.isEmpty || others.isEmpty { write(known, status: "200 OK") }
            if !others.isEmpty { write(missing: others) }
        }
        write("</D:response>\n")
    }

    private static func properties(_ name: [UInt8]?, _ item: TreeItem) -> [(name: String, value: String)] {
        var properties: [(name: String, value: String)] = []
        if let name {
            properties.append(("displayname", escaped(String(decoding: name, as: UTF8.self))))
        }
        if item.folder != nil {
            properties.append(("resourcetype", "<D:collection/>"))
        } else {
            properties.append(("resourcetype", ""))
            properties.append(("getcontentlength", "\(item.size)"))
            properties.append(("getcontenttype", "application/octet-stream"))
            properties.append(("getetag", escaped(EntityTag.text(of: item))))
        }
        if let modified = item.modified {
            properties.append(("getlastmodified", HTTPDate.encode(modified)))
        }
        return properties
    }

    private mutating func write(_ properties: [(name: String, value: String)], status: String) {
        write("<D:propstat><D:prop>")
        for (name, value) in properties {
            write(value.isEmpty ? "<D:\(name)/>" : "<D:\(name)>\(value)</D:\(name)>")
        }
        write("</D:prop><D:status>HTTP/1.1 \(status)</D:status></D:propstat>")
    }

    private mutating func write(missing names: [PropertyName]) {
        write("<D:propstat><D:prop>")
        // They were names of a document, so that they are names of this one.
        for name in names { write("<\(name.name) xmlns=\"\(Self.escaped(name.namespace))\"/>") }
        write("</D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>")
    }

    private mutating func write(_ text: String) { bytes += text.utf8 }

    /// Text as XML has it; characters that it has not are replaced.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "&": escaped += "&amp;"
            case "\"": escaped += "&quot;"
            case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
