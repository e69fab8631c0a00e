import Foundation
import Testing
import ValiseCryptography
import ValiseSecrets

struct SecretBoxStreamTests {
    /// How many parts the memory of this process has; guarded ones have at least three each.
    private static var mappings: Int? {
        (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8))?.split(separator: "\n").count
    }

    @Test func `thousands at once share guarded memory, and none disturbs another`() throws {
        let before = Self.mappings
        let streams = try (0..<3000).map { number in
            let stream = try SecretBoxStream()
            stream.start(
                key: try SecretSeed(copying: [UInt8](repeating: UInt8(number % 7), count: 32)),
                nonce: [UInt8](repeating: 0, count: 24))
            return stream
        }
        if let before, let now = Self.mappings { #expect(now - before < 1000) }
        let outcomes = streams.map { stream in
            var bytes = [UInt8](repeating: 0, count: 1000)
            bytes.withUnsafeMutableBytes { bytes in
                stream.exclusiveOr(bytes, at: 0)
                stream.authenticate(UnsafeRawBufferPointer(bytes))
            }
            return bytes + stream.tag()
        }
        for (number, outcome) in outcomes.enumerated() { #expect(outcome == outcomes[number % 7]) }
        #expect(Set(outcomes).count == 7)
    }
}
