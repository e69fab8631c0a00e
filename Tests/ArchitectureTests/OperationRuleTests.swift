import Testing

/// The operations of the front door (decision 0047).
struct OperationRuleTests {
    /// What changes nothing, so that there is nothing to plan.
    private static let reading: Set<String> = [
        "AuditMedia", "CheckAccount", "CompareAccounts", "InspectAccount", "InspectEncryption", "ListArchive",
        "ListOperations", "ListPassphrases", "QueryAccount", "ShowMoveLink", "VerifyArchive", "VerifyFiles",
        "VerifyPassphrase",
    ]

    @Test func `each public operation that changes something has a plan`() throws {
        var found: Set<String> = []
        var count = 0
        for file in try SourceTree.files(in: "Sources/4-Operations") {
            for match in file.text.matches(
                of: #/(?m)^public struct (\w+)(?:<[^>]*>)?: [^{\n]*\bOperation\b[^{]*\{\n((?s:.*?))^\}/#)
            {
                count += 1
                if !match.2.contains("func plan(in") { found.insert(String(match.1)) }
            }
        }
        #expect(count > 35)
        #expect(found == Self.reading)
    }
}
