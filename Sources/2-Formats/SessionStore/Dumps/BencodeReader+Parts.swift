extension BencodeReader {
    /// Of a length: more digits are no length of anything here.
    private static var mostDigits: Int { 10 }

    func peek() throws(SessionStoreError) -> UInt8 {
        guard unsafe position < bytes.count else { throw damaged("it ends too early") }
        return unsafe bytes[position]
    }

    /// Passes the end of a list or dictionary, where it is next.
    mutating func isEnd() throws(SessionStoreError) -> Bool {
        guard try peek() == UInt8(ascii: "e") else { return false }
        position += 1
        return true
    }

    mutating func integer() throws(SessionStoreError) -> BencodeValue {
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
    mutating func string() throws(SessionStoreError) -> Range<Int> {
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
