import Fuzzing

@testable import ValiseArchives

/// Any content, cut anywhere and packed in stretches, unpacks to itself.
///
/// Two bytes come first: the level, and how many times the rest is repeated.
enum DeflateTarget {
    static func run(_ bytes: [UInt8]) {
        guard bytes.count > 2 else { return }
        let rest = Array(bytes.dropFirst(2))
        let times = 1 + Int(bytes[1]) % 8
        let content = Array(repeatElement(rest, count: times).joined())
        var random = FuzzRandom(bytes)
        do {
            let deflater = try BlockDeflater(level: 1 + Int(bytes[0]) % 9)
            var packed: [UInt8] = []
            var start = 0
            repeat {
                let end = random.once(in: 3) ? content.count : start + random.below(content.count - start)
                packed += try stretch(Array(content[start..<end]), isLast: end == content.count, deflater)
                start = end
                // An empty stretch in between is one as well.
            } while start < content.count
            FuzzRun.require(
                Deflate.unpack(packed, most: content.count + 1) == content, "stretches make one stream")
        } catch {
            FuzzRun.require(false, "anything can be packed (\(error))")
        }
    }

    private static func stretch(_ part: [UInt8], isLast: Bool, _ deflater: BlockDeflater) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: BlockDeflater.bound(part.count)) { memory, count in
            count = try part.withUnsafeBytes {
                try deflater.deflate($0, isLast: isLast, into: UnsafeMutableRawBufferPointer(memory))
            }
        }
    }
}
