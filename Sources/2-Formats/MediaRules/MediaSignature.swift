/// What the first bytes of a file say of it.
///
/// Noise, such as an encrypted file, has a signature by chance once in some ten thousand files, nearly always
/// as ``MediaFormat/mp3``, whose frames begin with few fixed bits.
package struct MediaSignature: Sendable, Equatable {
    package let format: MediaFormat
    package var kind: MediaKind { format.kind }

    /// How many bytes are worth reading; with fewer, less is recognized.
    package static let headLength = 64

    /// Nil where no format is recognized.
    ///
    /// - Parameter head: the first bytes; those after ``headLength`` do not count.
    package init?(head: [UInt8]) {
        let head = Head(bytes: head.prefix(Self.headLength))
        guard let format = Self.fixed(head) ?? Self.structured(head) else { return nil }
        self.format = format
    }

    /// Whether the bytes are UTF-8 without control characters other than tab and ends of lines. A character that
    /// is cut off at the end is none the worse; nor is a file without content.
    package static func looksLikeText(_ head: [UInt8]) -> Bool {
        // The longest character has four bytes, so at most three of one that is cut off are left.
        let cuts = 0...min(3, head.count)
        guard let text = cuts.lazy.compactMap({ decode(head, without: $0) }).first else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 9, 10, 13: true
            case 0..<32, 127..<160: false
            default: true
            }
        }
    }

    private static func decode(_ head: [UInt8], without cut: Int) -> String? {
        let tail = head.suffix(cut)
        if let first = tail.first {
            // Only the beginning of one character may be dropped.
            let length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
            guard (0xc2...0xf4).contains(first), cut < length,
                tail.dropFirst().allSatisfy({ $0 & 0xc0 == 0x80 })
            else { return nil }
        }
        return String(validating: head.dropLast(cut), as: UTF8.self)
    }

    // MARK: Formats

    private static let fixedHeads: [([UInt8], MediaFormat)] = [
        ([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], .png),
        (Array("GIF87a".utf8), .gif), (Array("GIF89a".utf8), .gif),
        ([0x49, 0x49, 0x2a, 0x00], .tiff), ([0x4d, 0x4d, 0x00, 0x2a], .tiff),
        ([0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20, 0x0d, 0x0a, 0x87, 0x0a], .jpegXL),
        (Array("OggS\0".utf8), .ogg), (Array("fLaC".utf8), .flac), (Array("#!AMR".utf8), .amr),
        (Array("%PDF-".utf8), .pdf),
        ([0x50, 0x4b, 0x03, 0x04], .zip), ([0x50, 0x4b, 0x05, 0x06], .zip),
        ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], .xz), ([0x28, 0xb5, 0x2f, 0xfd], .zstandard),
        ([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], .sevenZip), (Array("Rar!\u{1a}\u{07}".utf8), .rar),
        (Array("{\\rtf".utf8), .rtf),
        ([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], .compoundFile),
        (Array("SQLite format 3\0".utf8), .sqlite),
    ]

    private static func fixed(_ head: Head) -> MediaFormat? {
        fixedHeads.first { head.has($0.0) }?.1
    }

    private static func structured(_ head: Head) -> MediaFormat? {
        boxes(head) ?? riff(head) ?? matroska(head) ?? jpeg(head) ?? bitmap(head) ?? compressed(head)
            ?? mp3(head)
    }

    /// ISO media: `ftyp` names the brand, and again those that it is compatible with.
    private static func boxes(_ head: Head) -> MediaFormat? {
        guard head.has("ftyp", at: 4), let length = head.number(at: 0, count: 4),
            (16...4096).contains(length),
            let brand = head.text(at: 8)
        else { return nil }
        switch brand {
        case "avif", "avis": return .avif
        case "heic", "heix", "heim", "heis", "hevc", "hevx": return .heic
        case "mif1", "msf1", "miaf":
            let others = stride(from: 16, to: min(Int(length), headLength), by: 4).map { head.text(at: $0) }
            return others.contains("avif") ? .avif : .heic
        case "M4A ", "M4B ", "M4P ", "F4A ": return .m4a
        case "qt  ": return .quickTime
        default: return .mp4
        }
    }

    private static func riff(_ head: Head) -> MediaFormat? {
        guard head.has("RIFF") else { return nil }
        if head.has("WEBP", at: 8) { return .webp }
        if head.has("AVI ", at: 8) { return .avi }
        return head.has("WAVE", at: 8) ? .wav : nil
    }

    private static func matroska(_ head: Head) -> MediaFormat? {
        guard head.has([0x1a, 0x45, 0xdf, 0xa3]) else { return nil }
        // The document type (element 4282) stands among the first elements.
        let places = 4..<Self.headLength
        return places.contains { head.has([0x42, 0x82, 0x84], at: $0) && head.has("webm", at: $0 + 3) }
            ? .webm : .matroska
    }

    private static func jpeg(_ head: Head) -> MediaFormat? {
        guard head.has([0xff, 0xd8, 0xff]), let marker = head[3] else { return nil }
        // An application segment, a table, a frame or a comment comes first.
        return (0xc0...0xcf).contains(marker) || (0xdb...0xdd).contains(marker)
            || (0xe0...0xef).contains(marker) || marker == 0xfe ? .jpeg : nil
    }

    private static func bitmap(_ head: Head) -> MediaFormat? {
        // Two letters alone would be too little: the size of the second header, little endian, is one of few.
        guard head.has("BM"), let size = head[14], head.has([0, 0, 0], at: 15) else { return nil }
        return [12, 40, 52, 56, 64, 108, 124].contains(size) ? .bmp : nil
    }

    private static func compressed(_ head: Head) -> MediaFormat? {
        if head.has([0x1f, 0x8b, 0x08]), let flags = head[3], flags < 0x20 { return .gzip }
        guard head.has("BZh"), let level = head[3], (0x31...0x39).contains(level) else { return nil }
        // A block, or the end of a stream without one.
        let isBlock = head.has([0x31, 0x41, 0x59, 0x26, 0x53, 0x59], at: 4)
        return isBlock || head.has([0x17, 0x72, 0x45, 0x38, 0x50, 0x90], at: 4) ? .bzip2 : nil
    }

    private static func mp3(_ head: Head) -> MediaFormat? {
        if head.has("ID3"), let version = head[3], (2...4).contains(version), let minor = head[4],
            minor < 0xff
        {
            return .mp3
        }
        // Eleven bits of synchronisation, version 1 or 2, layer III; then values that are not reserved.
        guard head[0] == 0xff, let second = head[1], [0xfb, 0xfa, 0xf3, 0xf2].contains(second),
            let third = head[2], let fourth = head[3]
        else { return nil }
        let (bitRate, sampleRate, emphasis) = (third >> 4, third >> 2 & 3, fourth & 3)
        return bitRate != 0 && bitRate != 15 && sampleRate != 3 && emphasis != 2 ? .mp3 : nil
    }
}

/// The first bytes, where a place after the end is no error.
private struct Head {
    private let bytes: [UInt8]

    init(bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

    subscript(place: Int) -> UInt8? { bytes.indices.contains(place) ? bytes[place] : nil }

    func has(_ part: some Collection<UInt8>, at place: Int = 0) -> Bool {
        bytes.dropFirst(place).starts(with: part)
    }

    func has(_ part: String, at place: Int = 0) -> Bool { has(part.utf8, at: place) }

    /// Big endian.
    func number(at place: Int, count: Int) -> UInt32? {
        guard place + count <= bytes.count else { return nil }
        return bytes[place..<place + count].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Four printable characters.
    func text(at place: Int) -> String? {
        guard place + 4 <= bytes.count else { return nil }
        let part = bytes[place..<place + 4]
        return part.allSatisfy { (0x20..<0x7f).contains($0) } ? String(decoding: part, as: UTF8.self) : nil
    }
}
