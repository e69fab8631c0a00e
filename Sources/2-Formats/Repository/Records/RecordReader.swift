import ValiseEncoding
import ValiseStorage

/// Reads a JSON record from its bytes, one value after the other, as the caller asks for them.
///
/// `JSONNode` of the house builds the whole document, some hundred bytes for each identifier; an index of 50,000 blobs would
/// take 50 MB. Here values go straight to where they are kept. What is no JSON, or not the kind of value that the field has,
/// is an error that names the byte. Deep nesting, long numbers and numbers that do not fit are refused.
///
/// Fields that nobody asks for are passed over with ``skip()``, which checks them all the same.
struct RecordReader {
    /// The records of the format have five levels.
    private static let mostLevels = 64
    /// The longest numbers are those of 64 bits and fractions of seconds.
    private static let longestNumber = 64

    let bytes: [UInt8]
    var position = 0
    private var level = 0
    /// Whether the next name or element is the first one of its object or array.
    private var isFirst = false

    /// - Parameter bytes: the JSON.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// What is wrong, and where.
    func damage(_ problem: String) -> RepositoryError {
        RepositoryError(.damaged, "\(problem) at byte \(position) of the record")
    }

    /// The next byte; 0 at the end, which no token begins with.
    var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

    /// Passes over what may be between tokens.
    mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0a, 0x0d, 0x09: position += 1
            default: return
            }
        }
    }

    /// Passes over one byte and the space before it.
    mutating func take(_ byte: UInt8) throws(RepositoryError) {
        skipSpace()
        guard next == byte else { throw damage("\(Character(Unicode.Scalar(byte))) expected") }
        position += 1
    }

    /// Nothing but space follows.
    mutating func end() throws(RepositoryError) {
        skipSpace()
        guard position == bytes.count else { throw damage("unexpected text") }
    }

    // MARK: Objects and arrays

    /// Passes over the opening bracket.
    mutating func beginObject() throws(RepositoryError) { try begin(UInt8(ascii: "{")) }
    /// Passes over the opening bracket.
    mutating func beginArray() throws(RepositoryError) { try begin(UInt8(ascii: "[")) }

    private mutating func begin(_ bracket: UInt8) throws(RepositoryError) {
        try take(bracket)
        guard level < Self.mostLevels else { throw damage("too many levels") }
        level += 1
        isFirst = true
    }

    /// The name of the next field; nil at the end of the object, which is passed over.
    mutating func nextKey() throws(RepositoryError) -> RecordKey? {
        guard try hasMore(until: UInt8(ascii: "}")) else { return nil }
        let key = try key()
        try take(UInt8(ascii: ":"))
        return key
    }

    /// Whether another element follows; if not, the end of the array is passed over.
    mutating func nextElement() throws(RepositoryError) -> Bool { try hasMore(until: UInt8(ascii: "]")) }

    private mutating func hasMore(until end: UInt8) throws(RepositoryError) -> Bool {
        skipSpace()
        let wasFirst = isFirst
        isFirst = false
        if next == end {
            position += 1
            level -= 1
            return false
        }
        if !wasFirst { try take(UInt8(ascii: ",")) }
        return true
    }

    // MARK: Values

    /// Passes over `null` and says so. Fields that are null count as left out, as in Go.
    mutating func takeNull() throws(RepositoryError) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: "n") else { return false }
        try word("null")
        return true
    }

    /// `true` or `false`.
    mutating func bool() throws(RepositoryError) -> Bool {
        skipSpace()
        let value = next == UInt8(ascii: "t")
        try word(value ? "true" : "false")
        return value
    }

    /// Passes over a word.
    mutating func word(_ word: String) throws(RepositoryError) {
        guard bytes[position...].starts(with: word.utf8) else { throw damage("\(word) expected") }
        position += word.utf8.count
    }

    /// A number of digits only.
    mutating func unsigned<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type = Value.self
    ) throws(RepositoryError) -> Value {
        guard let value = Value(exactly: try digits()) else { throw damage("number out of range") }
        return value
    }

    /// Without a `String` of the digits: an index has three numbers for each blob.
    private mutating func digits() throws(RepositoryError) -> UInt64 {
        skipSpace()
        let start = position
        var value: UInt64 = 0
        while case UInt8(ascii: "0")...UInt8(ascii: "9") = next {
            let (tenfold, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isLarger) = tenfold.addingReportingOverflow(UInt64(next - UInt8(ascii: "0")))
            guard !isTooLarge, !isLarger else { throw damage("number out of range") }
            value = sum
            position += 1
        }
        guard position > start, position == start + 1 || bytes[start] != UInt8(ascii: "0"),
            ![UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains(next)
        else { throw damage("number without fraction expected") }
        return value
    }

    /// A number without a fraction.
    mutating func integer() throws(RepositoryError) -> Int64 {
        skipSpace()
        guard let value = Int64(try number()) else { throw damage("number out of range") }
        return value
    }

    // MARK: Numbers

    /// The text of a number of any kind.
    mutating func number() throws(RepositoryError) -> String {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        if next == UInt8(ascii: "0") {
            position += 1
        } else {
            try skipDigits()
        }
        if next == UInt8(ascii: ".") {
            position += 1
            try skipDigits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
        guard position - start <= Self.longestNumber else { throw damage("number too long") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipDigits() throws(RepositoryError) {
        let start = position
        while case UInt8(ascii: "0")...UInt8(ascii: "9") = next { position += 1 }
        guard position > start else { throw damage("digit expected") }
    }
}
