import ValiseEncoding
import ValiseFailures

/// What every message travels in: its length, the message, and padding that hides the length (XFTP fact sheet, §4.2).
package enum XFTPBlock {
    /// In bytes.
    package static let size = 16_384

    /// The longest message, in bytes.
    package static let capacity = size - 2

    private static let padding = UInt8(ascii: "#")

    /// The block of one message.
    /// - Throws: ``XFTPWireError``: `invalid` for a message over ``capacity``.
    package static func pad(_ message: [UInt8]) throws(XFTPWireError) -> [UInt8] {
        guard let count = UInt16(exactly: message.count), count <= capacity else {
            throw .tooLong(message.count, limit: capacity)
        }
        var block: [UInt8] = []
        block.reserveCapacity(size)
        block.append(bigEndian: count)
        block.append(contentsOf: message)
        block.append(contentsOf: repeatElement(padding, count: size - block.count))
        return block
    }

    /// The message of a block. What it is padded with does not matter.
    /// - Throws: ``XFTPWireError``: `damaged` for a block of another size, and for a length over ``capacity``.
    package static func unpad(_ block: [UInt8]) throws(XFTPWireError) -> [UInt8] {
        guard block.count == size else {
            throw XFTPWireError(
                .damaged,
                "wrong block size: expected \(Count.text(size, "byte")), got \(block.count)")
        }
        var reader = FieldReader(block)
        return try reader.long()
    }

    /// The block of a message that is known to fit.
    static func pad(short message: some StringProtocol) -> [UInt8] {
        let bytes = Array(message.utf8.prefix(capacity))
        guard let block = try? pad(bytes) else { preconditionFailure("word does not fit into a block") }
        return block
    }
}
