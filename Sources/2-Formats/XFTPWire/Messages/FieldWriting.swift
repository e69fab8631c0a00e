import ValiseEncoding
import ValiseFailures

// The fields of messages as they are written (XFTP fact sheet, §4.1). The official encoder lets lengths over their
// limits wrap; nothing of the kind leaves this one.
extension [UInt8] {
    /// - Throws: for more than 255 bytes.
    mutating func append(short bytes: [UInt8]) throws(XFTPWireError) {
        guard let count = UInt8(exactly: bytes.count) else { throw .tooLong(bytes.count, limit: 255) }
        append(count)
        append(contentsOf: bytes)
    }

    /// - Throws: for more than 65,535 bytes.
    mutating func append(long bytes: [UInt8]) throws(XFTPWireError) {
        guard let count = UInt16(exactly: bytes.count) else { throw .tooLong(bytes.count, limit: 65_535) }
        append(bigEndian: count)
        append(contentsOf: bytes)
    }

    /// - Throws: for no or more than 255 elements, or one of more than 255 bytes.
    mutating func append(list elements: [[UInt8]]) throws(XFTPWireError) {
        try append(countOf: elements)
        for element in elements { try append(short: element) }
    }

    /// - Throws: for no or more than 255 elements.
    mutating func append(countOf elements: [[UInt8]]) throws(XFTPWireError) {
        guard let count = UInt8(exactly: elements.count), count > 0 else {
            throw XFTPWireError(
                .invalid,
                "list of \(Count.text(elements.count, "element")), but 1 to 255 are allowed")
        }
        append(count)
    }

    /// - Throws: for more than 255 bytes.
    mutating func append(optional bytes: [UInt8]?) throws(XFTPWireError) {
        append(UInt8(ascii: bytes == nil ? "0" : "1"))
        if let bytes { try append(short: bytes) }
    }
}

extension XFTPWireError {
    static func tooLong(_ count: Int, limit: Int) -> XFTPWireError {
        XFTPWireError(.invalid, "\(Count.text(count, "byte")), but at most \(limit) are allowed")
    }
}
