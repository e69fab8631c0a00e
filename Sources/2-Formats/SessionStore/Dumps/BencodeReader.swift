/// Reads values from memory that is lent to it.
@safe struct BencodeReader {
    let bytes: UnsafeRawBufferPointer
    private let whole: BencodeBytes
    private let limits: BencodeLimits
    var position = 0
    private var values = 0

    init(_ bytes: UnsafeRawBufferPointer, _ whole: BencodeBytes, _ limits: BencodeLimits) {
        unsafe self.bytes = bytes
        (self.whole, self.limits) = (whole, limits)
    }

    mutating func document() throws(SessionStoreError) -> BencodeValue {
        let value = try value(depth: 0)
        guard unsafe position == bytes.count else { throw damaged("something follows its end") }
        return value
    }

    func damaged(_ why: String) -> SessionStoreError {
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
}
