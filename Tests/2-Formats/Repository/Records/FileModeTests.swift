import Testing

@testable import ValiseRepository

struct FileModeTests {
    @Test(arguments: [
        (UInt32(0o100644), UInt32(420)), (0o040755, 2_147_484_141), (0o041777, 2_148_532_735),
        (0o120777, 134_218_239),
        (0o104755, 8_389_101), (0o102755, 4_194_797), (0o060660, 67_109_296), (0o020620, 69_206_416),
        (0o010600, 33_554_816), (0o140755, 16_777_709),
    ])
    func `modes are those of Go`(posix: UInt32, mode: UInt32) {
        #expect(FileMode(posix: posix).rawValue == mode)
        #expect(FileMode(rawValue: mode).posix == posix)
        #expect(FileMode(rawValue: mode).permissions == posix & 0o7777)
    }

    @Test func `each mode comes back`() {
        for kind: UInt32 in [0o040000, 0o120000, 0o020000, 0o060000, 0o010000, 0o140000, 0o100000] {
            for bits in UInt32(0)...0o7777 {
                guard FileMode(posix: kind | bits).posix == kind | bits else {
                    Issue.record("\(kind | bits)")
                    continue
                }
            }
        }
    }

    @Test func `what no system has is irregular, and no mode of POSIX`() {
        #expect(FileMode(posix: 0o644).rawValue == 1 << 19 | 0o644)
        #expect(FileMode(rawValue: 1 << 19).posix == nil)
        #expect(FileMode(rawValue: 1 << 31 | 1 << 27).posix == nil)
        #expect(FileMode(rawValue: .max).posix == nil)
    }
}
