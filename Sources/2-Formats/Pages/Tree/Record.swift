/// A row or an index entry: a header of types, then the values.
package struct Record: Sendable, Equatable {
    package let values: [RecordValue]
    /// Whether all values that the header names were there.
    package let isIntact: Bool

    /// SQLite's limit, however it was built.
    private static let mostColumns = 32767

    /// Reads a payload, whole or cut off; nil where it is no record.
    ///
    /// - Parameters:
    ///   - payload: the bytes of the cell.
    ///   - encoding: of text, which is turned into UTF-8.
    package init?(_ payload: [UInt8], encoding: DatabaseHeader.TextEncoding = .utf8) {
        let bytes = PageBytes(bytes: payload)
        guard let header = bytes.varint(0), let end = Int(exactly: header.value), end >= header.end,
            end <= payload.count
        else { return nil }
        var values: [RecordValue] = []
        var position = header.end
        var body = end
        var isIntact = true
        while position < end {
            guard let type = bytes.varint(position), type.end <= end, values.count < Self.mostColumns else {
                return nil
            }
            position = type.end
            guard isIntact else { continue }
            guard let width = Self.width(of: type.value) else { return nil }
            guard width <= payload.count - body else {
                isIntact = false
                continue
            }
            values.append(Self.value(type.value, bytes, body, width, encoding))
            body += width
        }
        self.values = values
        self.isIntact = isIntact
    }

    private static func width(of type: Int64) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 12...: Int((type - 12) / 2)
        default: nil
        }
    }

    private static func value(
        _ type: Int64, _ bytes: PageBytes, _ start: Int, _ width: Int,
        _ encoding: DatabaseHeader.TextEncoding
    ) -> RecordValue {
        switch type {
        case 1...6: return bytes.signed(start, width: width).map(RecordValue.integer) ?? .null
        case 7:
            guard let bits = bytes.signed(start, width: 8) else { return .null }
            let number = Double(bitPattern: UInt64(bitPattern: bits))
            return number.isNaN ? .null : .real(number)
        case 8: return .integer(0)
        case 9: return .integer(1)
        case 0: return .null
        default:
            let content = Array(bytes.bytes[start..<start + width])
            return type % 2 == 0 ? .blob(content) : .text(utf8(content, encoding))
        }
    }

    private static func utf8(_ text: [UInt8], _ encoding: DatabaseHeader.TextEncoding) -> [UInt8] {
        guard encoding != .utf8 else { return text }
        let high = encoding == .utf16BigEndian ? 0 : 1
        let units = stride(from: 0, to: text.count - text.count % 2, by: 2).map {
            UInt16(text[$0 + high]) << 8 | UInt16(text[$0 + 1 - high])
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
