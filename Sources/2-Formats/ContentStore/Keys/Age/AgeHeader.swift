/// What stands before the encrypted content of a file of age: for each recipient a stanza with the file's key, then a code
/// of authentication under that key.
struct AgeHeader {
    struct Stanza {
        /// The kind, such as `X25519`, and what belongs to it.
        let arguments: [String]
        let body: [UInt8]
    }

    let stanzas: [Stanza]
    /// What the code authenticates: all of the header until the three hyphens of its last line.
    let authenticated: [UInt8]
    /// 32 bytes.
    let code: [UInt8]
    /// Where the content begins.
    let size: Int

    private static let version = Array("age-encryption.org/v1".utf8)
    private static let mark = Array("-> ".utf8)
    private static let last = Array("--- ".utf8)
    /// Others write one stanza, and one that means nothing.
    private static let mostStanzas = 64
    private static let mostLines = 1024
    private static let lineWidth = 64
    private static let codeSize = 32

    /// - Parameter bytes: a file of age. Nil where its header has another form.
    init?(parsing bytes: [UInt8]) {
        var lines = AgeLines(bytes, most: Self.mostLines)
        guard lines.next() == Self.version[...] else { return nil }
        var stanzas: [Stanza] = []
        while true {
            let start = lines.position
            guard let line = lines.next() else { return nil }
            if line.starts(with: Self.last) {
                guard let code = StrictBase64.decode(line.dropFirst(Self.last.count), isPadded: false),
                    code.count == Self.codeSize, !stanzas.isEmpty
                else { return nil }
                self.stanzas = stanzas
                self.code = code
                authenticated = Array(bytes[..<(start + Self.last.count - 1)])
                size = lines.position
                return
            }
            guard stanzas.count < Self.mostStanzas, line.starts(with: Self.mark),
                let stanza = Self.stanza(line.dropFirst(Self.mark.count), &lines)
            else { return nil }
            stanzas.append(stanza)
        }
    }

    private static func stanza(_ first: ArraySlice<UInt8>, _ lines: inout AgeLines) -> Stanza? {
        let words = first.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (33...126).contains($0) } }) else {
            return nil
        }
        var body: [UInt8] = []
        // The last line of a body is shorter than the others, and may be empty.
        while let line = lines.next() {
            guard line.count <= lineWidth, let bytes = StrictBase64.decode(line, isPadded: false) else {
                return nil
            }
            body += bytes
            if line.count < lineWidth {
                return Stanza(arguments: words.map { String(decoding: $0, as: UTF8.self) }, body: body)
            }
        }
        return nil
    }
}

/// Lines that end with a line feed, as many as a header may have.
struct AgeLines {
    private let bytes: [UInt8]
    private var left: Int
    /// Where the next line begins.
    private(set) var position = 0

    init(_ bytes: [UInt8], most: Int) {
        self.bytes = bytes
        left = most
    }

    /// The next line without its end; nil where none ends.
    mutating func next() -> ArraySlice<UInt8>? {
        guard left > 0, let end = bytes[position...].firstIndex(of: 0x0a) else { return nil }
        left -= 1
        defer { position = end + 1 }
        return bytes[position..<end]
    }
}
