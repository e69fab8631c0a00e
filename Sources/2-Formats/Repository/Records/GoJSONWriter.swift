package import ValiseStorage

/// Writes JSON as Go's `encoding/json` does, byte for byte: no spaces, its escapes, fields in the order in which they are
/// written. Trees need that, because equal folders shall have one blob, whether restic wrote it or Valise.
///
/// It appends to bytes and never builds a tree of values: the content list of a database is 40,000 identifiers.
package struct GoJSONWriter {
    /// The document so far.
    package private(set) var bytes: [UInt8] = []
    /// Whether the next name or element needs a comma before it.
    private var needsComma = false

    private static let digits: [UInt8] = Array("0123456789abcdef".utf8)

    /// - Parameter count: bytes for which memory is taken at once.
    package init(reserving count: Int = 0) { bytes.reserveCapacity(count) }

    /// Starts an object.
    package mutating func beginObject() { begin(UInt8(ascii: "{")) }
    /// Ends an object.
    package mutating func endObject() { end(UInt8(ascii: "}")) }
    /// Starts an array.
    package mutating func beginArray() { begin(UInt8(ascii: "[")) }
    /// Ends an array.
    package mutating func endArray() { end(UInt8(ascii: "]")) }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    /// Before each value: a comma, unless it is the first one or behind its name.
    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// The name of the next value. All names of the format are ASCII without anything to escape.
    package mutating func name(_ name: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// `null`.
    package mutating func null() { word("null") }

    /// `true` or `false`.
    package mutating func value(_ value: Bool) { word(value ? "true" : "false") }

    /// A number in decimal digits.
    package mutating func value(_ value: some BinaryInteger) { word(String(value)) }

    /// 64 digits.
    package mutating func value(_ id: ContentID) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        for word in [id.words.0, id.words.1, id.words.2, id.words.3] {
            for shift in stride(from: UInt64(60), through: 0, by: -4) {
                bytes.append(Self.digits[Int(truncatingIfNeeded: word >> shift & 15)])
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// A string.
    package mutating func value(_ text: String) { value(utf8: Array(text.utf8)) }

    /// A string of bytes that should be UTF-8. What is not becomes `\ufffd`, as Go writes it.
    package mutating func value(utf8 text: [UInt8]) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        appendEscaped(text)
        bytes.append(UInt8(ascii: "\""))
    }

    /// A value that is JSON already.
    package mutating func value(json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// The line break behind trees and indexes.
    package mutating func endLine() { bytes.append(10) }

    private mutating func word(_ word: String) {
        separate()
        bytes.append(contentsOf: word.utf8)
    }

    // MARK: Strings

    private mutating func appendEscaped(_ text: [UInt8]) {
        var place = 0
        while place < text.count {
            let byte = text[place]
            if byte < 0x80 {
                appendEscaped(byte)
                place += 1
            } else if let rune = Rune(text, at: place) {
                if rune.value == 0x2028 || rune.value == 0x2029 {
                    appendCodeUnit(UInt16(truncatingIfNeeded: rune.value))
                } else {
                    bytes.append(contentsOf: text[place..<place + rune.size])
                }
                place += rune.size
            } else {
                appendCodeUnit(0xfffd)
                place += 1
            }
        }
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): appendEscape(byte)
        case 8: appendEscape(UInt8(ascii: "b"))
        case 9: appendEscape(UInt8(ascii: "t"))
        case 10: appendEscape(UInt8(ascii: "n"))
        case 12: appendEscape(UInt8(ascii: "f"))
        case 13: appendEscape(UInt8(ascii: "r"))
        case 0..<32, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"): appendCodeUnit(UInt16(byte))
        default: bytes.append(byte)
        }
    }

    private mutating func appendEscape(_ letter: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(letter)
    }

    private mutating func appendCodeUnit(_ value: UInt16) {
        appendEscape(UInt8(ascii: "u"))
        for shift in [12, 8, 4, 0] as [UInt16] { bytes.append(Self.digits[Int(value >> shift & 15)]) }
    }
}
