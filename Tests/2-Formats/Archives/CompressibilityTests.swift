import FaultInjection
import Testing
import ValiseArchives

@Suite struct CompressibilityTests {
    private func random(_ count: Int, seed: UInt64) -> [UInt8] {
        var state = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: state.next()) }
    }

    @Test(arguments: [512, 1000, 4096, 49_152])
    func storesRandomBytes(_ count: Int) {
        for seed in 1...20 as ClosedRange<UInt64> {
            #expect(!Compressibility.isWorthwhile(random(count, seed: seed)))
        }
    }

    @Test(arguments: [512, 4096, 49_152])
    func packsText(_ count: Int) {
        let text = Array("The quick brown fox jumps over the lazy dog, 0123456789. ".utf8)
        #expect(Compressibility.isWorthwhile((0..<count).map { text[$0 % text.count] }))
    }

    @Test func packsZerosAndShortSamples() {
        #expect(Compressibility.isWorthwhile([UInt8](repeating: 0, count: 16_384)))
        #expect(Compressibility.isWorthwhile(random(Compressibility.smallestSample - 1, seed: 1)))
        #expect(Compressibility.isWorthwhile([]))
    }

    @Test func storesImagesWhoseHeaderPacksWell() {
        let header = Array("\u{89}PNG\r\n\u{1a}\n".utf8) + [UInt8](repeating: 0, count: 200)
        #expect(!Compressibility.isWorthwhile(header + random(32_768, seed: 7)))
    }

    @Test func packsWhatIsHalfEmpty() {
        #expect(Compressibility.isWorthwhile(random(8192, seed: 3) + [UInt8](repeating: 0, count: 8192)))
    }
}
