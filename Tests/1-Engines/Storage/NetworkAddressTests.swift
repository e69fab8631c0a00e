import Testing
import ValiseStorage

/// Which addresses belong to nobody else.
struct NetworkAddressTests {
    @Test(arguments: [
        [1, 1, 1, 1], [8, 8, 8, 8], [9, 255, 255, 255], [11, 0, 0, 0], [100, 63, 255, 255], [100, 128, 0, 0],
        [126, 1, 1, 1],
        [128, 0, 0, 1], [169, 253, 0, 1], [172, 15, 0, 1], [172, 32, 0, 1], [192, 167, 1, 1],
        [192, 169, 1, 1], [198, 17, 0, 1],
        [198, 20, 0, 1], [223, 255, 255, 255],
    ])
    func `addresses of version 4 that anybody reaches`(bytes: [UInt8]) {
        #expect(NetworkAddress(bytes)?.isPublic == true)
    }

    @Test(arguments: [
        [0, 0, 0, 0], [0, 1, 2, 3], [10, 0, 0, 1], [100, 64, 0, 1], [100, 127, 255, 255], [127, 0, 0, 1],
        [127, 255, 255, 255],
        [169, 254, 169, 254], [172, 16, 0, 1], [172, 31, 255, 255], [192, 0, 0, 8], [192, 0, 2, 1],
        [192, 88, 99, 1],
        [192, 168, 0, 1], [198, 18, 0, 1], [198, 19, 255, 255], [198, 51, 100, 1], [203, 0, 113, 1],
        [224, 0, 0, 1],
        [239, 1, 1, 1], [255, 255, 255, 255],
    ])
    func `addresses of version 4 that are special`(bytes: [UInt8]) {
        #expect(NetworkAddress(bytes)?.isPublic == false)
        // Nor by the ways of version 6 that lead to them.
        let mapped: [UInt8] = Array(repeating: 0, count: 10) + [255, 255] + bytes
        #expect(NetworkAddress(mapped)?.isPublic == false)
        let translated: [UInt8] = [0, 0x64, 0xff, 0x9b] + Array(repeating: 0, count: 8) + bytes
        #expect(NetworkAddress(translated)?.isPublic == false)
        let tunneled: [UInt8] = [0x20, 0x02] + bytes + Array(repeating: 0, count: 10)
        #expect(NetworkAddress(tunneled)?.isPublic == false)
    }

    private static func version6(_ groups: [UInt16]) -> [UInt8] {
        (groups + Array(repeating: 0, count: 8 - groups.count)).flatMap {
            [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)]
        }
    }

    @Test(
        arguments: [[0x2606, 0x4700], [0x2a00, 0x1450], [0x2400], [0x2001, 0x4860], [0x3ffe]] as [[UInt16]])
    func `addresses of version 6 that anybody reaches`(groups: [UInt16]) {
        #expect(NetworkAddress(Self.version6(groups))?.isPublic == true)
    }

    @Test(
        arguments: [
            [], [0, 0, 0, 0, 0, 0, 0, 1], [0xfe80], [0xfc00], [0xfd12, 0x3456], [0xff02], [0x2001, 0xdb8],
            [0x2001, 0], [0x3fff, 0x123],
            [0x100],
        ] as [[UInt16]])
    func `addresses of version 6 that are special`(groups: [UInt16]) {
        #expect(NetworkAddress(Self.version6(groups))?.isPublic == false)
    }

    @Test func `an address has 4 or 16 bytes, and a text`() {
        #expect(NetworkAddress([1, 2, 3]) == nil)
        #expect(NetworkAddress([]) == nil)
        #expect(NetworkAddress([127, 0, 0, 1])?.text == "127.0.0.1")
        #expect(NetworkAddress(Self.version6([0xfe80, 0, 0, 0, 0, 0, 0, 1]))?.text == "[fe80:0:0:0:0:0:0:1]")
    }
}
