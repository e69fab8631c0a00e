import Fuzzing
import ValisePages

/// A page, or a row, of any length.
enum PageTarget {
    static func run(_ bytes: [UInt8]) {
        _ = DatabaseHeader(bytes)
        for number in [UInt32(1), 2] {
            guard let page = TreePage(number, bytes) else { continue }
            _ = (page.children, page.cell(-1), page.cell(page.cellCount))
            for cell in page.cells {
                guard let payload = cell.payload else { continue }
                FuzzRun.require(payload.local.count <= bytes.count, "a cell lies in its page")
                _ = Record(payload.local)
            }
        }
        for encoding in [DatabaseHeader.TextEncoding.utf8, .utf16LittleEndian, .utf16BigEndian] {
            guard let record = Record(bytes, encoding: encoding) else { continue }
            for value in record.values { _ = (value.string, value.integer) }
        }
    }
}
