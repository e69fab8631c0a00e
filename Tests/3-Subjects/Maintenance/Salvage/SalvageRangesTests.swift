import Testing

@testable import ValiseMaintenance

/// Where rows may be missing.
struct SalvageRangesTests {
    private typealias Range = SalvageReport.Range

    @Test func `adjacent ranges are joined, and others stay apart`() {
        var table = SalvageReport.Table(name: "messages")
        table.missingRanges = [
            Range(above: 1, upTo: 5), Range(above: 5, upTo: 9), Range(above: 12, upTo: 20),
            Range(above: 20, upTo: nil),
        ]
        #expect(
            table.joinedMissingRanges == [Range(above: 1, upTo: 9), Range(above: 12, upTo: nil)])
    }

    @Test func `pages whose rows are not known are not joined`() {
        var table = SalvageReport.Table(name: "messages")
        table.missingRanges = [Range(above: nil, upTo: nil), Range(above: nil, upTo: nil)]
        #expect(table.joinedMissingRanges.count == 2)
    }
}
