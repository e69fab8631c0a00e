import ValiseEncoding
import ValiseFailures

/// Reads the small documents of S3, piece by piece: elements and their texts, with names as they are behind the colon of a
/// namespace. Attributes and comments are passed over.
///
/// It refuses what such documents have no use for and what others were attacked with: document types and with them all
/// entities but the five of XML, instructions, deep nesting.
struct XMLReader {
    enum Piece: Equatable {
        case start(String)
        case end(String)
        /// A part of an element's text: the whole may come in several.
        case text(String)
    }

    /// Not a document of this kind.
    struct Invalid: Error {}

    private static let mostLevels = 32
    private static let mostNameBytes = 256

    private let bytes: [UInt8]
    private var position = 0
    private var open: [String] = []
    private var hasRoot = false
    /// The end of an element that has none of its own: `<a/>`.
    private var pendingEnd = false

    init(_ bytes: [UInt8]) {
        // A byte order mark.
        self.bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
    }

    /// Nil at the end of the document.
    mutating func next() throws(Invalid) -> Piece? {
        if pendingEnd {
            pendingEnd = false
            return try close()
        }
        while position < bytes.count {
            if bytes[position] != UInt8(ascii: "<") {
                let text = try text()
                if !open.isEmpty { return .text(text) }
                guard text.utf8.allSatisfy({ [9, 10, 13, 32].contains($0) }) else { throw Invalid() }
            } else if has("<!--") {
                try skip(past: "-->", from: 4)
            } else if has("<![CDATA[") {
                guard !open.isEmpty else { throw Invalid() }
                return .text(try literalText())
            } else if has("<?xml"), position == 0 {
                try skip(past: "?>", from: 5)
            } else if has("<!") || has("<?") {
                throw Invalid()
            } else {
                return has("</") ? try endTag() : try startTag()
            }
        }
        guard open.isEmpty, hasRoot else { throw Invalid() }
        return nil
    }

    private func has(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    /// - Returns: where the text begins.
    @discardableResult
    private mutating func skip(past text: String, from offset: Int) throws(Invalid) -> Int {
        position += offset
        while position < bytes.count {
            if has(text) {
                let place = position
                position += text.utf8.count
                return place
            }
            position += 1
        }
        throw Invalid()
    }

    // MARK: Tags

    private mutating func startTag() throws(Invalid) -> Piece {
        position += 1
        let name = try name()
        guard open.count < Self.mostLevels, !open.isEmpty || !hasRoot else { throw Invalid() }
        try skipAttributes()
        open.append(name)
        hasRoot = true
        return .start(name)
    }

    /// Behind the name of a tag, to behind its end.
    private mutating func skipAttributes() throws(Invalid) {
        var quote: UInt8?
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                pendingEnd = bytes[position - 2] == UInt8(ascii: "/")
                return
            } else if byte == UInt8(ascii: "<") {
                throw Invalid()
            }
        }
        throw Invalid()
    }

    private mutating func endTag() throws(Invalid) -> Piece {
        position += 2
        let name = try name()
        while position < bytes.count, [9, 10, 13, 32].contains(bytes[position]) { position += 1 }
        guard position < bytes.count, bytes[position] == UInt8(ascii: ">"), open.last == name else {
            throw Invalid()
        }
        position += 1
        return try close()
    }

    private mutating func close() throws(Invalid) -> Piece {
        guard let name = open.popLast() else { throw Invalid() }
        return .end(name)
    }

    private mutating func name() throws(Invalid) -> String {
        let start = position
        while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
        let name = bytes[start..<position]
        guard !name.isEmpty, name.count <= Self.mostNameBytes else { throw Invalid() }
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        guard !local.isEmpty else { throw Invalid() }
        return String(decoding: local, as: UTF8.self)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: ":"):
            true
        default: byte >= 128
        }
    }

    // MARK: Texts

    private mutating func literalText() throws(Invalid) -> String {
        let start = position + 9
        let end = try skip(past: "]]>", from: 9)
        guard let text = String(validating: bytes[start..<end], as: UTF8.self) else { throw Invalid() }
        return text
    }

    private mutating func text() throws(Invalid) -> String {
        var text: [UInt8] = []
        while position < bytes.count, bytes[position] != UInt8(ascii: "<") {
            if bytes[position] == UInt8(ascii: "&") {
                text += try entity().utf8
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        guard let valid = String(validating: text, as: UTF8.self) else { throw Invalid() }
        return valid
    }

    private mutating func entity() throws(Invalid) -> String {
        let start = position + 1
        guard let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { throw Invalid() }
        position = end + 1
        let name = String(decoding: bytes[start..<end], as: UTF8.self)
        switch name {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
        guard name.hasPrefix("#"), let number, number > 0, let scalar = Unicode.Scalar(number) else {
            throw Invalid()
        }
        return String(Character(scalar))
    }
}
