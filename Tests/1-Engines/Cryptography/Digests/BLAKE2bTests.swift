import Testing
import ValiseCryptography
import ValiseSecrets

/// BLAKE2b of several lengths, with keys.
struct BLAKE2bTests {
    private func digest(
        _ bytes: [UInt8], size: Int, key: [UInt8] = [], pieces: Int = .max
    ) throws -> String {
        var hash = try BLAKE2b(size: size, key: key)
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + min(pieces, bytes.count))
            hash.update(Array(bytes[start..<end]))
            start = end
        }
        return hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// RFC 7693, appendix A, and Python's hashlib.
    @Test func `digests are those of others`() throws {
        #expect(
            try digest(Array("abc".utf8), size: 64).hasPrefix(
                "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"))
        #expect(
            try digest(Array("abc".utf8), size: 24, key: Array(0..<64))
                == "549658c8e0886858274bfee4a8c5eb05f9b66408cb72fec4")
        let long = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        for pieces in [1, 127, 128, 129, 1000] {
            #expect(
                try digest(long, size: 56, key: [0], pieces: pieces)
                    == "82757ecdfb9bb652be8f9708c74e0971a0c9bf772f71f72fcee1f6506ec5d59c0560aa1797c55ad6"
                    + "1dec90ac9ca7f86eb2c662ceb5f5df65")
        }
        #expect(try digest([], size: 1) == "2e")
    }

    @Test func `a secret and its bytes make the same digest, in guarded memory too`() throws {
        let seed = try SecretSeed(copying: Array(0..<32))
        var hash = try BLAKE2b(size: 32)
        hash.update(seed)
        let guarded = try SecretSeed { hash.finalize(into: $0) }
        let expected = try digest(Array(0..<32), size: 32)
        let made = guarded.withBytes { Array($0) }.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            .joined()
        #expect(made == expected)
    }

    @Test func `other lengths are refused`() {
        for (size, key) in [(0, 0), (65, 0), (32, 65), (-1, 0)] {
            #expect(throws: SodiumError.self) {
                _ = try BLAKE2b(size: size, key: [UInt8](repeating: 0, count: key)).finalize()
            }
        }
    }
}
