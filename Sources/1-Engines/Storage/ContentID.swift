import ValiseEncoding

/// The SHA-256 of what it names: a stored file, or a blob.
package struct ContentID: Hashable, Comparable, Sendable {
    /// In the order of the bytes, the first one highest, so that the order of numbers is that of bytes.
    package let words: (UInt64, UInt64, UInt64, UInt64)

    /// In bytes.
    package static let size = 32

    /// For readers of millions of them: an array for each would cost more than the rest.
    package init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    /// - Parameter digest: 32 bytes; nil for another number.
    package init?(_ digest: some Collection<UInt8>) {
        guard digest.count == Self.size else { return nil }
        var words: [UInt64] = [0, 0, 0, 0]
        for (place, byte) in digest.enumerated() { words[place / 8] = words[place / 8] << 8 | UInt64(byte) }
        self.words = (words[0], words[1], words[2], words[3])
    }

    /// The same without generics, which other modules cannot specialize: a third of all time for blobs of a page.
    package init?(_ digest: ArraySlice<UInt8>) {
        guard digest.count == Self.size else { return nil }
        func word(_ place: Int) -> UInt64 {
            var word: UInt64 = 0
            for byte in digest[(digest.startIndex + place)..<(digest.startIndex + place + 8)] {
                word = word << 8 | UInt64(byte)
            }
            return word
        }
        words = (word(0), word(8), word(16), word(24))
    }

    /// The same for a whole array.
    package init?(_ digest: [UInt8]) { self.init(digest[...]) }

    /// - Parameter text: 64 hexadecimal digits in lower case; nil for anything else.
    package init?(text: String) {
        guard text.utf8.count == Self.size * 2, let bytes = Hexadecimal.decode(text) else { return nil }
        self.init(bytes)
        // A name is written in one way only.
        guard self.text == text else { return nil }
    }

    /// The 32 bytes.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.size)
        for word in [words.0, words.1, words.2, words.3] {
            for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * place))) }
        }
        return bytes
    }

    /// The first eight bytes, which tables are sorted by.
    package var prefix: UInt64 { words.0 }

    /// 64 hexadecimal digits in lower case.
    package var text: String { Hexadecimal.encode(bytes) }

    package static func == (left: ContentID, right: ContentID) -> Bool { left.words == right.words }

    package static func < (left: ContentID, right: ContentID) -> Bool { left.words < right.words }

    package func hash(into hasher: inout Hasher) {
        // A digest is random: a part of it tells as much as the whole.
        hasher.combine(words.0)
    }
}

extension ContentID: CustomStringConvertible {
    /// The first eight digits, by which users call snapshots and keys.
    package var description: String { String(text.prefix(8)) }
}
