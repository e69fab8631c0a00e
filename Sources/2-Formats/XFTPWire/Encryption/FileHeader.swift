import ValiseFailures
import ValiseMediaRules

/// What travels before the content of a file, encrypted with it (fact sheet, §6.2).
package struct FileHeader: Hashable, Sendable {
    /// At most 255 bytes of UTF-8. From a stranger: it may be empty, hold slashes, or be `..`.
    package let name: String
    /// What later versions may add, at most 255 bytes; normally nil.
    package let extra: [UInt8]?

    /// The most bytes that a header has.
    package static let largestByteCount = 1 + longestField + 1 + 1 + longestField
    private static let longestField = 255

    /// - Throws: ``XFTPWireError``: `invalid` for a longer name or extra.
    package init(name: String, extra: [UInt8]? = nil) throws(XFTPWireError) {
        if let excess = TransferChunks.excess(ofName: name) {
            throw XFTPWireError(.invalid, excess, subject: name)
        }
        guard extra?.count ?? 0 <= Self.longestField else {
            throw XFTPWireError(.invalid, "at most 255 bytes can be sent with the name", subject: name)
        }
        self.name = name
        self.extra = extra
    }

    /// The bytes before the content.
    package var encoded: [UInt8] {
        let bytes = Array(name.utf8)
        guard let extra else { return [UInt8(bytes.count)] + bytes + [UInt8(ascii: "0")] }
        return [UInt8(bytes.count)] + bytes + [UInt8(ascii: "1"), UInt8(extra.count)] + extra
    }

    /// Reads the header that `bytes` begin with. Names that are no UTF-8, as very old programs wrote them, are repaired.
    ///
    /// - Returns: the header and how many bytes it has; nil where there are too few bytes to tell.
    /// - Throws: ``XFTPWireError``: `damaged`.
    package static func decode(_ bytes: ArraySlice<UInt8>) throws(XFTPWireError) -> (
        FileHeader, byteCount: Int
    )? {
        guard let nameLength = bytes.first.map(Int.init), bytes.count >= nameLength + 2 else { return nil }
        let marker = bytes.startIndex + 1 + nameLength
        let name = repaired(bytes[(bytes.startIndex + 1)..<marker])
        switch bytes[marker] {
        case UInt8(ascii: "0"):
            return (try FileHeader(name: name), nameLength + 2)
        case UInt8(ascii: "1"):
            guard marker + 1 < bytes.endIndex else { return nil }
            let end = marker + 2 + Int(bytes[marker + 1])
            guard end <= bytes.endIndex else { return nil }
            return (try FileHeader(name: name, extra: Array(bytes[marker + 2..<end])), end - bytes.startIndex)
        default:
            throw XFTPWireError(
                .damaged, "invalid file header: the name cannot be separated from the content")
        }
    }

    /// Replacement characters take more bytes than what they replace: the name is cut to what can travel.
    private static func repaired(_ bytes: ArraySlice<UInt8>) -> String {
        var name = String(decoding: bytes, as: UTF8.self)
        while name.utf8.count > longestField { name.removeLast() }
        return name
    }
}
