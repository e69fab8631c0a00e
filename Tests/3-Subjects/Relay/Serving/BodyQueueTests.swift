import NIOCore
import Testing

@testable import ValiseRelay

/// What bodies take of the memory until the store has them.
struct BodyQueueTests {
    /// A slice out of what came in one read.
    private static func slice(_ count: Int, of size: Int, _ byte: UInt8) -> ByteBuffer {
        ByteBuffer(repeating: byte, count: size).getSlice(at: 100, length: count)!
    }

    @Test(arguments: [1, 10, 255, 1000, 4096, 16_000])
    func `small pieces do not keep what came around them`(size: Int) {
        var queue = BodyQueue()
        // Each of them comes out of 64 KiB of its own.
        let count = min((256 << 10) / size, 10_000)
        for number in 0..<count { queue.append(Self.slice(size, of: 64 << 10, UInt8(number % 251))) }
        #expect(queue.count == count * size)
        // Without copies it were 64 KiB for each.
        #expect(queue.keptBytes <= 4 * queue.count + (64 << 10))
        var bytes = ByteBuffer()
        while !queue.isEmpty { for piece in queue.take(most: 50_000) { bytes.writeImmutableBuffer(piece) } }
        var expected = ByteBuffer()
        for number in 0..<count { expected.writeRepeatingByte(UInt8(number % 251), count: size) }
        #expect(bytes == expected)
        #expect(queue.keptBytes == 0)
    }

    @Test func `small and large ones keep their order, and large ones are not copied`() {
        var queue = BodyQueue()
        let large = ByteBuffer(repeating: 2, count: 16_384)
        for piece in [ByteBuffer(bytes: [1]), large, ByteBuffer(bytes: [3]), ByteBuffer(bytes: [4])] {
            queue.append(piece)
        }
        let taken = queue.take(most: .max)
        #expect(taken.map(\.readableBytes) == [1, 16_384, 2])
        #expect(Array(taken[2].readableBytesView) == [3, 4])
        let addresses = [large, taken[1]].map { $0.withUnsafeReadableBytes { $0.baseAddress } }
        #expect(addresses[0] == addresses[1])
        queue.append(ByteBuffer(bytes: [5]))
        #expect(queue.take(most: 1).map { Array($0.readableBytesView) } == [[5]])
    }
}
