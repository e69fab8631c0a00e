import Testing

/// The operations of the front door (decision 0047).
struct OperationRuleTests {
    /// What changes nothing, so that there is nothing to plan. What `KeepArchive` keeps has no name and goes with the process.
    private static let reading: Set<String> = [
        "AuditMedia", "CheckAccount", "CompareAccounts", "DescribeFiles", "DescribeJobsService", "Diagnose",
        "FindAccounts", "InspectAccount",
        "InspectEncryption", "KeepArchive", "ListArchive", "ListMigrations", "ListOperations",
        "ListPassphrases", "PlanTransfers", "QueryAccount", "ShowMoveLink", "ShowRelayStatus",
        "VerifyArchive", "VerifyFiles", "VerifyPassphrase", "VerifyRecoverySheet", "WatchJobs",
    ]

    @Test func `each operation that changes something has a plan, public or not`() throws {
        var found: Set<String> = []
        var count = 0
        for file in try SourceTree.files(in: "Sources/4-Operations") {
            for match in file.text.matches(
                of:
                    #/(?m)^(?:public |package )?struct (\w+)(?:<[^>]*>)?: [^{\n]*\bOperation\b[^{]*\{\n((?s:.*?))^\}/#
            ) {
                count += 1
                if !match.2.contains("func plan(in") { found.insert(String(match.1)) }
            }
        }
        #expect(count > 45)
        #expect(found == Self.reading)
    }
}
