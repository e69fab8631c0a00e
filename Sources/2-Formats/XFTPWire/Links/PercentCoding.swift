import ValiseEncoding

/// The escapes of links (fact sheet, §7.4).
enum PercentCoding {
    /// Letters, digits and `-_.~` stay; every other byte becomes three.
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// - Parameter target: as many bytes as `text` has are enough.
    /// - Returns: how many bytes were written.
    static func decode(
        _ text: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) throws(XFTPWireError) -> Int {
        var count = 0
        var place = 0
        while place < text.count {
            var byte = unsafe text[place]
            if byte == UInt8(ascii: "+") {
                byte = UInt8(ascii: " ")
            } else if byte == UInt8(ascii: "%") {
                guard place + 2 < text.count, let high = unsafe Hexadecimal.value(text[place + 1]),
                    let low = unsafe Hexadecimal.value(text[place + 2])
                else {
                    throw .link("incomplete percent escape")
                }
                byte = high << 4 | low
                place += 2
            }
            unsafe target[count] = byte
            count += 1
            place += 1
        }
        return count
    }
}

extension SecretText {
    mutating func appendPercentEncoded(_ bytes: UnsafeRawBufferPointer) {
        let digits = Array("0123456789ABCDEF".utf8)
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            if PercentCoding.isPlain(byte) {
                append(byte)
            } else {
                append(UInt8(ascii: "%"))
                append(digits[Int(byte >> 4)])
                append(digits[Int(byte & 15)])
            }
        }
    }
}
