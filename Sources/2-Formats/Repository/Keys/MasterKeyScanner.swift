/// Finds where the parts of a master key are in its JSON, and copies nothing of it.
@safe struct MasterKeyScanner {
    /// Which value is read.
    private enum Place {
        case document
        case authentication
        case k
        case r
        case encrypt
        case other
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    /// The digits of each part.
    private(set) var k: Range<Int>?
    private(set) var r: Range<Int>?
    private(set) var encrypt: Range<Int>?

    private static let deepest = 16
    static let damaged = RepositoryError(.damaged, "the key file has an invalid master key")

    init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = unsafe bytes }

    /// Reads the document to its end.
    mutating func scan() throws(RepositoryError) {
        try value(.document, depth: 0)
        skipSpace()
        guard position == count else { throw Self.damaged }
    }

    private var count: Int { unsafe bytes.count }

    /// The next byte; 0 at the end, which nothing begins with.
    private var next: UInt8 { position < count ? unsafe bytes[position] : 0 }

    private mutating func skipSpace() {
        while [0x20, 0x09, 0x0a, 0x0d].contains(next) { position += 1 }
    }

    private mutating func take(_ character: UnicodeScalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value(_ place: Place, depth: Int) throws(RepositoryError) {
        skipSpace()
        guard depth < Self.deepest else { throw Self.damaged }
        switch next {
        case UInt8(ascii: "{"): try object(place, depth)
        case UInt8(ascii: "["): try array(depth)
        case UInt8(ascii: "\""): keep(try string(), place)
        default: try word()
        }
    }

    private mutating func keep(_ text: Range<Int>, _ place: Place) {
        switch place {
        case .k: k = text
        case .r: r = text
        case .encrypt: encrypt = text
        case .document, .authentication, .other: break
        }
    }

    private mutating func object(_ place: Place, _ depth: Int) throws(RepositoryError) {
        position += 1
        if take("}") { return }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw Self.damaged }
            let member = self.member(try string(), of: place)
            guard take(":") else { throw Self.damaged }
            try value(member, depth: depth + 1)
        } while take(",")
        guard take("}") else { throw Self.damaged }
    }

    private func member(_ name: Range<Int>, of place: Place) -> Place {
        switch place {
        case .document where unsafe bytes[name].elementsEqual("mac".utf8): .authentication
        case .document where unsafe bytes[name].elementsEqual("encrypt".utf8): .encrypt
        case .authentication where unsafe bytes[name].elementsEqual("k".utf8): .k
        case .authentication where unsafe bytes[name].elementsEqual("r".utf8): .r
        default: .other
        }
    }

    private mutating func array(_ depth: Int) throws(RepositoryError) {
        position += 1
        if take("]") { return }
        repeat { try value(.other, depth: depth + 1) } while take(",")
        guard take("]") else { throw Self.damaged }
    }

    /// What is between the quotes. Escapes stay as they are: Base64 needs none.
    private mutating func string() throws(RepositoryError) -> Range<Int> {
        let start = position + 1
        position = start
        while position < count, next != UInt8(ascii: "\"") {
            position += next == UInt8(ascii: "\\") ? 2 : 1
        }
        guard position < count else { throw Self.damaged }
        position += 1
        return start..<position - 1
    }

    /// A number, `true`, `false` or `null`.
    private mutating func word() throws(RepositoryError) {
        let start = position
        while position < count, unsafe Self.isOfWord(bytes[position]) { position += 1 }
        guard position > start else { throw Self.damaged }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
