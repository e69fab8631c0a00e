import ValiseMediaRules

/// How much speaks for some bytes being what a user stored, and not what a cipher made.
enum ContentEvidence: Int, Comparable {
    /// They look like noise. So does what was compressed well.
    case none
    /// A few characters of text, as noise may be by chance.
    case weak
    /// Some values of a byte are much more frequent than others.
    case uneven
    /// The head of a known format, or text.
    case recognised

    static func < (left: ContentEvidence, right: ContentEvidence) -> Bool { left.rawValue < right.rawValue }

    /// How many bytes of a file are worth looking at.
    static let sampleSize = 1 << 20
    private static let textSize = 256
    /// Noise of eight bytes is text once in some thousand times.
    private static let shortestText = 8

    /// - Parameter sample: the beginning of a file.
    init(_ sample: [UInt8]) {
        if MediaSignature(head: Array(sample.prefix(MediaSignature.headLength))) != nil {
            self = .recognised
        } else if MediaSignature.looksLikeText(Array(sample.prefix(Self.textSize))) {
            self = sample.count >= Self.shortestText ? .recognised : .weak
        } else {
            self = Self.isUneven(sample) ? .uneven : .none
        }
    }

    /// A chi-square test. For noise the statistic has a mean of one less than there are bins, and a deviation of the
    /// root of twice that; the limits are ten deviations above.
    private static func isUneven(_ sample: [UInt8]) -> Bool {
        switch sample.count {
        case 512...: chiSquare(sample, bits: 8) > 255 + 10 * 22.6
        case 64...: chiSquare(sample, bits: 4) > 15 + 10 * 5.5
        default: false
        }
    }

    /// - Parameter bits: how many of the upper bits of each byte count.
    private static func chiSquare(_ sample: [UInt8], bits: Int) -> Double {
        var counts = [Int](repeating: 0, count: 1 << bits)
        for byte in sample { counts[Int(byte) >> (8 - bits)] += 1 }
        let expected = Double(sample.count) / Double(counts.count)
        return counts.reduce(0) { sum, count in
            let difference = Double(count) - expected
            return sum + difference * difference / expected
        }
    }
}
