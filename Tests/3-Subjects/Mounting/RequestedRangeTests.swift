import Testing
import ValiseMounting

/// Which bytes of a file are asked for.
struct RequestedRangeTests {
    private static let ranges: [(String?, RequestedRange)] = [
        (nil, .complete), ("bytes=0-", .part(0..<100)), ("bytes=0-0", .part(0..<1)),
        ("bytes=10-19", .part(10..<20)), ("bytes=90-1000", .part(90..<100)), ("bytes=-10", .part(90..<100)),
        ("bytes=-1000", .part(0..<100)), ("Bytes=99-99", .part(99..<100)), ("bytes=100-", .unsatisfiable),
        ("bytes=100-200", .unsatisfiable), ("bytes=-0", .unsatisfiable),
        ("bytes=99999999999999999999-", .unsatisfiable),
        ("bytes=0-99999999999999999999", .part(0..<100)), ("bytes=0-1,5-6", .complete),
        ("bytes=5-2", .complete),
        ("bytes=", .complete), ("bytes=-", .complete), ("bytes=a-b", .complete), ("bytes= 1-2", .complete),
        ("bytes=+1-2", .complete), ("items=0-1", .complete), ("bytes=1", .complete), ("bytes=--1", .complete),
    ]

    @Test(arguments: ranges) func `a range is read`(field: String?, range: RequestedRange) {
        #expect(RequestedRange(field, size: 100) == range)
    }

    @Test func `nothing is a part of an empty file`() {
        #expect(RequestedRange("bytes=0-", size: 0) == .unsatisfiable)
        #expect(RequestedRange("bytes=-5", size: 0) == .unsatisfiable)
        #expect(RequestedRange(nil, size: 0) == .complete)
    }
}
