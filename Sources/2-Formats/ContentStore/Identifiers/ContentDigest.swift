package import ValiseCryptography
import ValiseEncoding

/// A BLAKE3 of 256 bits: the name of an object, or the digest of a file.
package struct ContentDigest: Hashable, Comparable, Sendable {
    /// In the order of the bytes, the first one highest, so that the order of numbers is that of bytes.
    package let words: (UInt64, UInt64, UInt64, UInt64)

    /// In bytes.
    package static let size = 32

    /// - Parameter bytes: 32; nil for another number.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        func word(_ place: Int) -> UInt64 {
            var word: UInt64 = 0
            for byte in bytes[place..<(place + 8)] { word = word << 8 | UInt64(byte) }
            return word
        }
        words = (word(0), word(8), word(16), word(24))
    }

    /// - Parameter text: 64 hexadecimal digits in lower case; nil for anything else.
    package init?(text: String) {
        var words: [UInt64] = [0, 0, 0, 0]
        var count = 0
        for digit in text.utf8 {
            guard count < 2 * Self.size, !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains(digit),
                let value = Hexadecimal.value(digit)
            else { return nil }
            words[count / 16] = words[count / 16] << 4 | UInt64(value)
            count += 1
        }
        guard count == 2 * Self.size else { return nil }
        self.words = (words[0], words[1], words[2], words[3])
    }

    /// The digest of some bytes.
    /// - Throws: `CryptographyError` where libblake3 cannot be loaded.
    package init(of bytes: [UInt8]) throws(CryptographyError) {
        let digest = try BLAKE3.hash(bytes)
        self.init(digest: digest)
    }

    /// The digest of some bytes.
    /// - Throws: `CryptographyError` where libblake3 cannot be loaded.
    package init(of bytes: UnsafeRawBufferPointer) throws(CryptographyError) {
        let digest = try unsafe BLAKE3.hash(bytes)
        self.init(digest: digest)
    }

    /// - Parameter digest: of ``BLAKE3``, which has 32 bytes always.
    package init(digest: [UInt8]) {
        guard let value = ContentDigest(digest) else { preconditionFailure("wrong digest length") }
        self = value
    }

    /// The 32 bytes.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.size)
        for word in [words.0, words.1, words.2, words.3] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        return bytes
    }

    /// 64 hexadecimal digits in lower case.
    package var text: String { Hexadecimal.encode(bytes) }

    package static func == (left: ContentDigest, right: ContentDigest) -> Bool { left.words == right.words }

    package static func < (left: ContentDigest, right: ContentDigest) -> Bool { left.words < right.words }

    package func hash(into hasher: inout Hasher) {
        // Others choose the names: a table must not depend on a part of them.
        hasher.combine(words.0)
        hasher.combine(words.3)
    }
}

extension ContentDigest: CustomStringConvertible {
    package var description: String { text }
}

extension ContentDigest {
    /// Of an empty file, which has no chunks.
    package static let ofNothing = ContentDigest(
        words: (
            0xaf13_49b9_f5f9_a1a6, 0xa040_4dea_36dc_c949, 0x9bcb_25c9_adc1_12b7, 0xcc9a_93ca_e41f_3262
        ))

    private init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }
}
