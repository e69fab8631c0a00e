/// An element of a document, with its namespace.
struct XMLElement: Sendable, Equatable {
    /// Empty for none.
    let namespace: String
    let name: String
    /// 0 for the outermost one.
    let depth: Int
}

/// A document that is none, or larger than anybody needs.
struct XMLDefect: Error {}

/// The elements of a small document (XML 1.0 with namespaces), in the order in which they begin. Strict: what has a document
/// type, processing instructions or entities of its own is refused, and so is any encoding but UTF-8. Text between elements is
/// looked at no further.
struct XMLElements {
    private let bytes: [UInt8]
    private var place = 0
    private var elements: [XMLElement] = []
    /// The names of those that are open, with the namespaces that they declare by their prefixes.
    private var open: [(name: String, namespaces: [String: String])] = []

    private static let mostBytes = 64 << 10
    private static let mostElements = 1000
    private static let mostDepth = 16
    private static let mostAttributes = 32
    private static let longestName = 256

    /// - Throws: ``XMLDefect``.
    static func read(_ bytes: [UInt8]) throws(XMLDefect) -> [XMLElement] {
        guard bytes.count <= mostBytes, String(validating: bytes, as: UTF8.self) != nil else {
            throw XMLDefect()
        }
        var reader = XMLElements(bytes)
        try reader.document()
        return reader.elements
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    // MARK: Structure

    private mutating func document() throws(XMLDefect) {
        _ = take("\u{FEFF}")
        if take("<?xml") { try declaration() }
        while place < bytes.count {
            if take("<!--") {
                try skip(past: "-->")
            } else if take("</") {
                try end()
            } else if take("<![CDATA[") {
                guard !open.isEmpty else { throw XMLDefect() }
                try skip(past: "]]>")
            } else if bytes[place] == UInt8(ascii: "<") {
                place += 1
                // A name follows: neither a document type nor an instruction begins with one.
                try begin()
            } else {
                try text()
            }
        }
        guard open.isEmpty, !elements.isEmpty else { throw XMLDefect() }
    }

    /// `version` and `encoding` of the declaration.
    private mutating func declaration() throws(XMLDefect) {
        let attributes = try attributes()
        guard take("?>"), attributes["version"]?.hasPrefix("1.") == true,
            ["utf-8", "us-ascii", nil].contains(attributes["encoding"]?.lowercased())
        else { throw XMLDefect() }
    }

    private mutating func begin() throws(XMLDefect) {
        let name = try name()
        let attributes = try attributes()
        let isEmpty = take("/>")
        guard isEmpty || take(">"), elements.count < Self.mostElements, open.count < Self.mostDepth,
            !open.isEmpty || elements.isEmpty
        else { throw XMLDefect() }
        var namespaces: [String: String] = [:]
        for (key, value) in attributes {
            if key == "xmlns" { namespaces[""] = value }
            if key.hasPrefix("xmlns:") { namespaces[String(key.dropFirst("xmlns:".count))] = value }
        }
        open.append((name, namespaces))
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, !parts.contains("") else { throw XMLDefect() }
        let prefix = parts.count == 2 ? String(parts[0]) : ""
        guard
            let namespace = open.reversed().lazy.compactMap({ $0.namespaces[prefix] }).first
                ?? (prefix.isEmpty ? "" : nil)
        else { throw XMLDefect() }
        elements.append(
            XMLElement(namespace: namespace, name: String(parts[parts.count - 1]), depth: open.count - 1))
        if isEmpty { open.removeLast() }
    }

    private mutating func end() throws(XMLDefect) {
        let name = try name()
        skipSpace()
        guard take(">"), open.popLast()?.name == name else { throw XMLDefect() }
    }

    private mutating func text() throws(XMLDefect) {
        while place < bytes.count, bytes[place] != UInt8(ascii: "<") {
            if bytes[place] == UInt8(ascii: "&") {
                try reference()
            } else {
                guard !open.isEmpty || Self.isSpace(bytes[place]) else { throw XMLDefect() }
                try character()
            }
        }
    }

    // MARK: Parts

    private mutating func attributes() throws(XMLDefect) -> [String: String] {
        var attributes: [String: String] = [:]
        while true {
            let start = place
            skipSpace()
            guard place < bytes.count, Self.isOfName(bytes[place]) else { return attributes }
            guard place > start, attributes.count < Self.mostAttributes else { throw XMLDefect() }
            let name = try name()
            skipSpace()
            guard take("=") else { throw XMLDefect() }
            skipSpace()
            guard attributes.updateValue(try value(), forKey: name) == nil else { throw XMLDefect() }
        }
    }

    private mutating func value() throws(XMLDefect) -> String {
        guard place < bytes.count else { throw XMLDefect() }
        let quote = bytes[place]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw XMLDefect() }
        place += 1
        let start = place
        while place < bytes.count, bytes[place] != quote {
            // Names of namespaces are compared as they are: no reference may hide one.
            guard bytes[place] != UInt8(ascii: "<"), bytes[place] != UInt8(ascii: "&") else {
                throw XMLDefect()
            }
            try character()
        }
        guard place < bytes.count else { throw XMLDefect() }
        defer { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func reference() throws(XMLDefect) {
        guard !open.isEmpty else { throw XMLDefect() }
        if ["&lt;", "&gt;", "&amp;", "&quot;", "&apos;"].contains(where: { take($0) }) { return }
        let isHexadecimal = take("&#x")
        guard isHexadecimal || take("&#") else { throw XMLDefect() }
        let start = place
        while place < bytes.count, place - start < 8, bytes[place] != UInt8(ascii: ";") { place += 1 }
        let digits = String(decoding: bytes[start..<place], as: UTF8.self)
        guard take(";"), let value = UInt32(digits, radix: isHexadecimal ? 16 : 10),
            Unicode.Scalar(value) != nil, value >= 32 || [9, 10, 13].contains(value)
        else { throw XMLDefect() }
    }

    private mutating func name() throws(XMLDefect) -> String {
        let start = place
        while place < bytes.count, Self.isOfName(bytes[place]) { place += 1 }
        let first = start < place ? bytes[start] : 0
        let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        guard start < place, place - start <= Self.longestName, !isDigit,
            first != UInt8(ascii: "-"), first != UInt8(ascii: ".")
        else { throw XMLDefect() }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func character() throws(XMLDefect) {
        guard bytes[place] >= 32 || Self.isSpace(bytes[place]) else { throw XMLDefect() }
        place += 1
    }

    private mutating func skipSpace() {
        while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
    }

    private mutating func skip(past end: String) throws(XMLDefect) {
        while place < bytes.count {
            if take(end) { return }
            try character()
        }
        throw XMLDefect()
    }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[place...].starts(with: text.utf8) else { return false }
        place += text.utf8.count
        return true
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [9, 10, 13, 32].contains(byte) }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
            true
        default: false
        }
    }
}
