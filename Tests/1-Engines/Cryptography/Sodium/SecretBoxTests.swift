import Testing
import ValiseCryptography

/// Vectors computed by two independent implementations.
@Suite struct SecretBoxTests {
    private let key = (0..<32).map { UInt8($0) }
    private let nonce = (0..<24).map { UInt8($0) }

    @Test(arguments: [
        ("", "6d5eaf468dea66e7b569f805910de7a7"),
        ("hello world", "03ebb0dcaf3ec72c98736ba409ad94618c6f7ed82779cb4556ed1c"),
    ])
    func sealsText(text: String, expected: String) throws {
        #expect(try sealed(Array(text.utf8), key, nonce) == expected)
    }

    @Test func sealsAHundredBytes() throws {
        let expected =
            "6b8fdeb3c41bb644e216056d93c9872ba74673e058dda1f19a331150807e28ade13f86a00c66ef0f79c50344"
            + "7bf35e9937a93adcf907eaad9f79967c0e3775b40a2fe2b6c8413fea714e9eb9974ea325a7eec2690adf8a9af2"
            + "c91d3703edf56963fd320aa2e9517f3de6de09f44720e880e2e23d"
        #expect(try sealed((0..<100).map { UInt8($0) }, key, nonce) == expected)
    }

    @Test func sealsAcrossManyBlocks() throws {
        var bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: 7 * $0 + 3) }
        try SecretBox.sealWithTagAtEnd(&bytes, key: key, nonce: nonce)
        #expect(bytes.count == 100_016)
        #expect(hexadecimal(bytes.suffix(16)) == "3ad1e34a3fe5b605a05282dce4fbc283")
        let digest = hexadecimal(SHA256.hash(bytes))
        #expect(digest == "86e6fa029f6f6d39cba21eeaca169f19eff0ab9f878f68f2242c36262fee02f9")
    }

    @Test func sealsUnderAnotherKey() throws {
        let key = [UInt8](repeating: 0x4e, count: 32)
        let nonce = [UInt8](repeating: 0xa1, count: 24)
        let expected = "42d2776f4c72b6070b76eb8d1601ba7d9585be70eee2551d1d63f85012610bf3470a306f"
        #expect(try sealed(Array("SimpleX ✅ тест".utf8), key, nonce) == expected)
    }

    @Test func refusesAShortKey() {
        #expect(throws: SodiumError.self) { try sealed([1, 2, 3], Array(key.dropLast()), nonce) }
    }

    private func sealed(_ plain: [UInt8], _ key: [UInt8], _ nonce: [UInt8]) throws -> String {
        var bytes = plain
        try SecretBox.sealWithTagAtEnd(&bytes, key: key, nonce: nonce)
        return hexadecimal(bytes)
    }
}
