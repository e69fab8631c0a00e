import ValiseEncoding
package import ValiseSecrets

extension BencodeValue {
    /// Reads a document of one value, which has one form only: numbers and lengths without zeros at their front, no negative
    /// zero, the keys of a dictionary in the order of their bytes and each once, nothing behind the value.
    ///
    /// - Parameters:
    ///   - document: stays in guarded memory as long as a part of the value is used.
    ///   - limits: of what is read.
    /// - Throws: ``SessionStoreError``: `damaged` for anything else, `unsupported` for what exceeds a limit.
    package init(
        parsing document: SharedSecret, limits: BencodeLimits = BencodeLimits()
    ) throws(SessionStoreError) {
        try self.init(parsing: BencodeBytes(document, 0..<document.bytes.count), limits: limits)
    }

    /// Reads a document within a document, such as the configuration in a dump.
    /// - Throws: as ``init(parsing:limits:)``.
    package init(
        parsing document: BencodeBytes, limits: BencodeLimits = BencodeLimits()
    ) throws(SessionStoreError) {
        guard document.count <= limits.size else {
            throw SessionStoreError(
                .unsupported, "bt-encoded content exceeds the limit of \(Count.bytes(Int64(limits.size)))")
        }
        var result: Result<BencodeValue, SessionStoreError>?
        unsafe document.withBytes { bytes in
            var reader = unsafe BencodeReader(bytes, document, limits)
            result = Result { () throws(SessionStoreError) in try reader.document() }
        }
        guard let result else { throw SessionStoreError(.failed, "bt-encoded content was not read") }
        self = try result.get()
    }
}

/// Reads values from memory that is lent to it.
@safe private struct BencodeReader {
    private let bytes: UnsafeRawBufferPointer
    private let whole: BencodeBytes
    private let limits: BencodeLimits
    private var position = 0
    private var values = 0

    /// Of a length: more digits are no length of anything here.
    private static let mostDigits = 10

    init(_ bytes: UnsafeRawBufferPointer, _ whole: BencodeBytes, _ limits: BencodeLimits) {
        unsafe self.bytes = bytes
        (self.whole, self.limits) = (whole, limits)
    }

    mutating func document() throws(SessionStoreError) -> BencodeValue {
        let value = try value(depth: 0)
        guard unsafe position == bytes.count else { throw damaged("something follows its end") }
        return value
    }

    private func damaged(_ why: String) -> SessionStoreError {
        SessionStoreError(.damaged, "bt-encoded content is damaged at byte \(position): \(why)")
    }

    // MARK: Values

    private mutating func value(depth: Int) throws(SessionStoreError) -> BencodeValue {
        values += 1
        guard values <= limits.values else {
            throw SessionStoreError(.unsupported, "bt-encoded content has more than \(limits.values) values")
        }
        switch try peek() {
        case UInt8(ascii: "i"): return try integer()
        case UInt8(ascii: "l"): return .list(try list(depth: try deeper(depth)))
        case UInt8(ascii: "d"): return .dictionary(try dictionary(depth: try deeper(depth)))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return .bytes(whole.part(try string()))
        default: throw damaged("no value begins so")
        }
    }

    /// Passes the first byte of a list or dictionary.
    private mutating func deeper(_ depth: Int) throws(SessionStoreError) -> Int {
        guard depth < limits.depth else {
            throw SessionStoreError(.unsupported, "bt-encoded content has more than \(limits.depth) levels")
        }
        position += 1
        return depth + 1
    }

    private mutating func list(depth: Int) throws(SessionStoreError) -> [BencodeValue] {
        var list: [BencodeValue] = []
        while try !isEnd() { list.append(try value(depth: depth)) }
        return list
    }

    private mutating func dictionary(depth: Int) throws(SessionStoreError) -> BencodeDictionary {
        var entries: [BencodeDictionary.Entry] = []
        while try !isEnd() {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(try peek()) else {
                throw damaged("a key is no string")
            }
            let range = try string()
            let key = unsafe Array(bytes[range])
            if let last = entries.last?.key, !last.lexicographicallyPrecedes(key) {
                throw damaged(last == key ? "a key is repeated" : "keys are not in their order")
            }
            entries.append(BencodeDictionary.Entry(key, try value(depth: depth)))
        }
        return BencodeDictionary(sorted: entries)
    }

    // MARK: Parts

    private func peek() throws(SessionStoreError) -> UInt8 {
        guard unsafe position < bytes.count else { throw damaged("it ends too early") }
        return unsafe bytes[position]
    }

    /// Passes the end of a list or dictionary, where it is next.
    private mutating func isEnd() throws(SessionStoreError) -> Bool {
        guard try peek() == UInt8(ascii: "e") else { return false }
        position += 1
        return true
    }

    private mutating func integer() throws(SessionStoreError) -> BencodeValue {
        position += 1
        let isNegative = try peek() == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let magnitude = try number(mostDigits: 20)
        guard try isEnd() else { throw damaged("a number does not end") }
        guard isNegative else { return BencodeValue(magnitude) }
        guard magnitude != 0 else { throw damaged("a zero is negative") }
        guard magnitude <= UInt64(Int64.max) + 1 else { throw damaged("a number is too small") }
        return .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
    }

    /// Digits of a number that does not begin with a needless zero.
    private mutating func number(mostDigits: Int) throws(SessionStoreError) -> UInt64 {
        let start = position
        var number: UInt64 = 0
        while true {
            let byte = try peek()
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { break }
            guard position - start < mostDigits else { throw damaged("a number is too long") }
            let (product, isOver) = number.multipliedReportingOverflow(by: 10)
            let (sum, isOverToo) = product.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
            guard !isOver, !isOverToo else { throw damaged("a number is too large") }
            number = sum
            position += 1
        }
        guard position > start else { throw damaged("a number has no digits") }
        guard unsafe position == start + 1 || bytes[start] != UInt8(ascii: "0") else {
            throw damaged("a number begins with a zero")
        }
        return number
    }

    /// Where the content of the next string is.
    private mutating func string() throws(SessionStoreError) -> Range<Int> {
        let length = try number(mostDigits: Self.mostDigits)
        guard try peek() == UInt8(ascii: ":") else { throw damaged("a length does not end") }
        position += 1
        guard let count = Int(exactly: length), unsafe count <= bytes.count - position else {
            throw damaged("a string ends too early")
        }
        defer { position += count }
        return position..<(position + count)
    }
}
