import FaultInjection
import Testing

@testable import ValiseMounting

/// Reads of any place and length against the whole.
enum RandomReads {
    static func check(_ file: any TreeFile, _ whole: [UInt8], count: Int = 300) throws {
        let seed = UInt64.random(in: .min ... .max)
        print("random reads: seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        #expect(file.size == Int64(whole.count))
        for _ in 0..<count {
            let offset = Int.random(in: 0...whole.count + 10, using: &generator)
            let length = Int.random(
                in: 0...(1 << Int.random(in: 0...20, using: &generator)), using: &generator)
            let expected = Array(whole.dropFirst(offset).prefix(length))
            let found = try file.bytes(at: Int64(offset), upTo: length)
            #expect(found == expected, "seed \(seed), \(length) bytes at \(offset)")
        }
        #expect(try file.bytes(at: .max, upTo: 100).isEmpty)
        #expect(try file.bytes(at: Int64(whole.count), upTo: 1).isEmpty)
    }
}
