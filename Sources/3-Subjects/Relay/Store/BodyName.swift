import ValiseEncoding

/// The name under which the bytes of a chunk are kept: which chunk they are of, and which upload brought them.
package struct BodyName: Hashable, Sendable {
    package let chunk: StoredID
    /// Zero where all uploads of a chunk have one name, see ``ChunkBytes/sharesNames``.
    package let upload: UInt64

    /// - Parameters:
    ///   - chunk: as its sender knows it.
    ///   - upload: zero where all uploads of the chunk have one name.
    package init(chunk: StoredID, upload: UInt64 = 0) {
        self.chunk = chunk
        self.upload = upload
    }

    private static let uploadByteCount = 8

    /// Of an upload with a name of its own, in characters.
    static let longTextCount = 32

    /// Base64url of the chunk's name, and of the number of the upload where it has one: 24 or 32 characters. Files of the official
    /// relay have the short one.
    package var text: String {
        let bytes = chunk.bytes
        guard upload != 0 else { return Base64URL.encode(bytes) }
        return Base64URL.encode(
            bytes
                + (0..<Self.uploadByteCount).map {
                    UInt8(truncatingIfNeeded: upload >> UInt64((Self.uploadByteCount - 1 - $0) * 8))
                })
    }

    /// - Returns: nil for a text that ``text`` never is.
    package init?(_ text: some StringProtocol) {
        guard let bytes = Base64URL.decode(text), bytes.count >= StoredID.byteCount,
            let chunk = StoredID(bytes.prefix(StoredID.byteCount))
        else { return nil }
        let rest = bytes.dropFirst(StoredID.byteCount)
        guard rest.isEmpty || rest.count == Self.uploadByteCount else { return nil }
        self.init(chunk: chunk, upload: rest.reduce(0) { $0 << 8 | UInt64($1) })
        // One name has one text.
        guard self.text == text else { return nil }
    }
}

/// As the bytes of their texts are ordered: that is the order in which servers list objects.
extension BodyName: Comparable {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let padding = UInt8(ascii: "=")
    private static let shortTextCount = 24
    /// Those of them that are not padding.
    private static let shortDigitCount = 22

    package static func < (one: BodyName, other: BodyName) -> Bool {
        for place in 0..<longTextCount {
            let (left, right) = (one.character(at: place), other.character(at: place))
            if left != right { return left < right }
        }
        return false
    }

    /// Of the text, without making it; zero behind its end.
    private func character(at place: Int) -> UInt8 {
        if upload == 0, place >= Self.shortDigitCount {
            return place < Self.shortTextCount ? Self.padding : 0
        }
        return Self.digits[(0..<6).reduce(0) { $0 << 1 | bit(at: place * 6 + $1) }]
    }

    private func bit(at place: Int) -> Int {
        let word = place < 64 ? chunk.high : place < 128 ? chunk.low : upload
        return Int(word >> UInt64(63 - place % 64) & 1)
    }
}
