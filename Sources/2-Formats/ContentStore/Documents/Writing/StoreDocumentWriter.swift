/// Writes JSON as tcfs does, byte for byte: the names of manifests are digests of it.
///
/// Indented by two spaces with one element on a line, or all on one line without spaces; text as it is but for quotes,
/// backslashes and control characters of ASCII.
struct StoreDocumentWriter {
    private(set) var bytes: [UInt8] = []
    private let isPretty: Bool
    private var level = 0
    private var isFirst = true

    init(isPretty: Bool = true) { self.isPretty = isPretty }

    // MARK: Structure

    /// An object whose members the closure writes, each by a ``key(_:)`` and a value.
    mutating func object(_ body: (inout StoreDocumentWriter) -> Void) {
        nest(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    /// An array of which the closure writes each element.
    mutating func array<Elements: Sequence>(
        _ elements: Elements, _ body: (inout StoreDocumentWriter, Elements.Element) -> Void
    ) {
        nest(UInt8(ascii: "["), UInt8(ascii: "]")) { writer in
            for element in elements {
                writer.separate()
                body(&writer, element)
            }
        }
    }

    /// The key of the next value.
    mutating func key(_ name: String) {
        separate()
        text(name)
        append(isPretty ? ": " : ":")
    }

    private mutating func nest(_ start: UInt8, _ end: UInt8, _ body: (inout StoreDocumentWriter) -> Void) {
        bytes.append(start)
        level += 1
        isFirst = true
        body(&self)
        level -= 1
        // Nothing stands between the brackets of an empty one.
        if !isFirst { breakLine() }
        bytes.append(end)
        isFirst = false
    }

    private mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        breakLine()
        isFirst = false
    }

    private mutating func breakLine() {
        guard isPretty else { return }
        bytes.append(0x0a)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }

    private mutating func append(_ text: StaticString) {
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    // MARK: Values

    mutating func null() { append("null") }

    mutating func number(_ value: some FixedWidthInteger) { bytes.append(contentsOf: String(value).utf8) }

    mutating func text(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 { appendEscaped(byte) }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append(#"\""#)
        case UInt8(ascii: "\\"): append(#"\\"#)
        case 0x08: append(#"\b"#)
        case 0x09: append(#"\t"#)
        case 0x0a: append(#"\n"#)
        case 0x0c: append(#"\f"#)
        case 0x0d: append(#"\r"#)
        case 0..<0x20:
            append(#"\u00"#)
            bytes.append(UInt8(ascii: "0") + byte >> 4)
            let digit = byte & 15
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        default: bytes.append(byte)
        }
    }
}

extension StoreDocumentWriter {
    /// A member with a text.
    mutating func member(_ key: String, _ text: String) {
        self.key(key)
        self.text(text)
    }

    /// A member with a text, or with null.
    mutating func member(_ key: String, _ text: String?) {
        self.key(key)
        if let text { self.text(text) } else { null() }
    }

    /// A member with a number.
    mutating func member(_ key: String, _ number: some FixedWidthInteger) {
        self.key(key)
        self.number(number)
    }
}
