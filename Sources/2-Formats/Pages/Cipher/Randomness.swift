import CValiseOpenSSL
import ValiseFiles

/// Random bytes for salts and initialization vectors.
enum Randomness {
    static func fill(_ memory: UnsafeMutableRawBufferPointer) throws(PageCipherError) {
        let start = unsafe memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard let count = Int32(exactly: memory.count), unsafe RAND_bytes(start, count) == 1 else {
            throw .library("generate random bytes")
        }
    }

    static func bytes(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try unsafe bytes.withUnsafeMutableBytes { try unsafe fill($0) }
        return bytes
    }
}

extension Randomness {
    private static let sampleSize = 4096
    private static let samples = 16
    /// For random bytes the statistic has a mean of 255 and a deviation of 23; this is more than ten of them.
    private static let limit = 500.0

    /// Whether most of a file looks like what a cipher makes: every value of a byte about equally often.
    static func looksRandom(_ source: any ByteSource) throws -> Bool {
        let sampleSize = Int(min(Int64(sampleSize), source.size))
        // Fewer bytes than that say nothing.
        guard sampleSize >= 512 else { return false }
        let last = source.size - Int64(sampleSize)
        var random = 0
        var looked = 0
        var sample = [UInt8](repeating: 0, count: sampleSize)
        for index in 0..<samples {
            let offset = last * Int64(index) / Int64(samples)
            let count = try unsafe sample.withUnsafeMutableBytes {
                try unsafe source.read(into: $0, at: offset)
            }
            guard count == sampleSize else { continue }
            looked += 1
            if chiSquare(sample) < limit { random += 1 }
        }
        return looked > 0 && random * 2 > looked
    }

    private static func chiSquare(_ sample: [UInt8]) -> Double {
        var counts = [Int](repeating: 0, count: 256)
        for byte in sample { counts[Int(byte)] += 1 }
        let expected = Double(sample.count) / 256
        return counts.reduce(0) { sum, count in
            let difference = Double(count) - expected
            return sum + difference * difference / expected
        }
    }
}
