/// Large media for measurements: three files of noise, then one of text, until enough bytes are made.
struct BulkMedia {
    private var generator: SampleGenerator
    private var rest: Int64
    private let size: Int?
    private var number = 0

    static let largest = 8 << 20

    /// - Parameter size: of each file; nil for sizes that differ.
    init(bytes: Int64, size: Int?, seed: UInt64) {
        self.size = size.map { max(1, min($0, Self.largest)) }
        rest = bytes
        generator = SampleGenerator(seed: seed, purpose: "bulk")
    }

    /// The next file, never more than 8 MiB in memory; nil at the end.
    mutating func next() -> (name: String, content: [UInt8])? {
        guard rest > 0 else { return nil }
        let wanted = size ?? Self.largest / 8 + generator.below(Self.largest * 7 / 8)
        let size = Int(min(rest, Int64(wanted)))
        rest -= Int64(size)
        number += 1
        // Every fourth one, so text is about a quarter of the bytes.
        return number % 4 == 0 ? ("log_\(number).txt", text(size)) : ("archive_\(number).bin", noise(size))
    }

    private mutating func noise(_ size: Int) -> [UInt8] { generator.bytes(size) }

    private mutating func text(_ size: Int) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(size + 256)
        while text.count < size {
            text += "\(SampleTime.start.adding(text.count).text) \(SampleTexts.sentence(&generator))\n".utf8
        }
        text.removeLast(text.count - size)
        return text
    }
}
