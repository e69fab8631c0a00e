/// A row of a table as it lies in a leaf (https://www.sqlite.org/fileformat2.html, section 2.1): its first columns.
struct TreeRecord {
    /// Text and whole numbers; nil for any other value.
    let columns: [Column?]

    enum Column: Equatable {
        case text(String)
        case number(Int64)
    }

    /// More columns than these are never looked at.
    private static let mostColumns = 8

    /// - Parameter bytes: the content, or the part of it that lies on the page.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var place = 0
        guard let header = bytes.number(&place).flatMap({ Int(exactly: $0) }), header <= bytes.count else {
            return nil
        }
        var types: [UInt64] = []
        while place < header, types.count < Self.mostColumns {
            guard let type = bytes.number(&place) else { return nil }
            types.append(type)
        }
        var columns: [Column?] = []
        var start = header
        for type in types {
            guard let size = Self.size(of: type), size <= bytes.count - start else { break }
            let value = UnsafeRawBufferPointer(rebasing: bytes[start..<start + size])
            columns.append(Self.column(type, value))
            start += size
        }
        self.columns = columns
    }

    private static func size(of type: UInt64) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 10, 11: nil
        default: Int(exactly: (type - 12) / 2)
        }
    }

    private static func column(_ type: UInt64, _ bytes: UnsafeRawBufferPointer) -> Column? {
        switch type {
        case 8, 9: return .number(Int64(type) - 8)
        case 1...6:
            let isNegative = bytes.first.map { $0 & 0x80 != 0 } ?? false
            return .number(bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) })
        case 13... where type % 2 == 1: return .text(String(decoding: bytes, as: UTF8.self))
        default: return nil
        }
    }
}
