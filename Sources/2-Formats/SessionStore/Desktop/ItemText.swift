import ValiseSecrets

/// A text in a JSON document that no parser may see: it is found and copied in guarded memory.
struct ItemText: ~Copyable {
    let bytes: SecretBytes

    private static let key = Array(#""value""#.utf8)

    /// The text under `value` of a document of single values, without escapes, as words have none.
    ///
    /// - Returns: nil where there is none, or where it has escapes.
    /// - Throws: `SecretsError` when no guarded memory is available.
    init?(ofValueIn document: borrowing SecretBytes) throws {
        let found: SecretBytes? = try unsafe document.withBytes { text in
            guard let range = unsafe Self.value(in: text) else { return nil }
            return try unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: text[range]))
        }
        guard let found else { return nil }
        bytes = found
    }

    private static func value(in text: UnsafeRawBufferPointer) -> Range<Int>? {
        var place = 0
        while place + key.count <= text.count {
            if unsafe text[place..<(place + key.count)].elementsEqual(key) {
                var start = place + key.count
                let (colon, quote) = (UInt8(ascii: ":"), UInt8(ascii: "\""))
                while start < text.count, unsafe isSpace(text[start]) || text[start] == colon { start += 1 }
                guard start < text.count, unsafe text[start] == quote else { return nil }
                var end = start + 1
                while end < text.count, unsafe text[end] != quote {
                    if unsafe text[end] == UInt8(ascii: "\\") { return nil }
                    end += 1
                }
                return end < text.count ? (start + 1)..<end : nil
            }
            place += 1
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
