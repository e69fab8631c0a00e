#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tells content that Deflate cannot shrink (encrypted, or compressed already) from a look at its bytes.
///
/// Encrypted and compressed data use all byte values almost equally often. The order-0 entropy of a sample
/// tells that 30 times faster than packing it would; content with an even histogram that Deflate could
/// shrink all the same is rare, and is then merely stored.
package enum Compressibility {
    /// Above so many bits per byte, Deflate gains less than it costs.
    private static let threshold = 7.8

    /// Samples of fewer bytes say nothing: their histogram is uneven whatever they hold.
    package static let smallestSample = 512

    /// Whether deflating is worth its time.
    /// - Parameter sample: bytes from several places of the content.
    package static func isWorthwhile(_ sample: [UInt8]) -> Bool {
        guard sample.count >= smallestSample else { return true }
        // An ideal random sample of n bytes measures low by (256 - 1) / (2 n ln 2): Miller's correction.
        let bias = 255 / (2 * Double(sample.count) * 0.693_147)
        return entropy(sample) + bias < threshold
    }

    private static func entropy(_ sample: [UInt8]) -> Double {
        var counts = [Int](repeating: 0, count: 256)
        for byte in sample { counts[Int(byte)] += 1 }
        let total = Double(sample.count)
        return counts.reduce(0) { sum, count in
            guard count > 0 else { return sum }
            let share = Double(count) / total
            return sum - share * log2(share)
        }
    }
}
