import Testing

/// The operations of the front door (decision 0047).
struct OperationRuleTests {
    /// What changes nothing, so that there is nothing to plan. What `KeepArchive` keeps has no name and goes with the process.
    private static let reading: Set<String> = [
        "AuditMedia", "CheckAccount", "CompareAccounts", "DescribeFiles", "DescribeJobsService", "Diagnose",
        "FindAccounts", "FindSentAccount", "InspectAccount",
        "InspectEncryption", "KeepArchive", "ListArchive", "ListMigrations", "ListOperations",
        "ListPassphrases", "PlanTransfers", "QueryAccount", "ShowJob", "ShowMoveLink", "ShowRelayStatus",
        "VerifyArchive", "VerifyFiles", "VerifyPassphrase", "VerifyRecoverySheet", "WatchJobs",
    ]

    /// What has nothing to report but that it was done, or gives its results while it runs.
    private static let silent: Set<String> = [
        "ForgetMove", "QueryAccount", "RestoreRetired", "RollBackMigration", "RunRelay",
    ]

    static func operations() throws -> [(name: String, body: Substring)] {
        try SourceTree.files(in: "Sources/4-Operations").flatMap { file in
            file.text.matches(
                of:
                    #/(?m)^(?:public |package )?struct (\w+)(?:<[^>]*>)?: [^{\n]*\bOperation\b[^{]*\{\n((?s:.*?))^\}/#
            ).map { (name: String($0.1), body: $0.2) }
        }
    }

    @Test func `each operation that changes something has a plan, public or not`() throws {
        let operations = try Self.operations()
        #expect(operations.count > 45)
        let found = operations.filter { !$0.body.contains("func plan(in") }.map(\.name)
        #expect(Set(found) == Self.reading)
    }

    @Test func `each plan and report is a type of its own, and no list, number or text`() throws {
        let bare: Set<Substring> = ["Bool", "Int", "Int64", "String"]
        var silent: Set<String> = []
        for (name, body) in try Self.operations() {
            let methods = body.matches(
                of: #/func (plan|run)\(in context: OperationContext\) async throws(?: -> (.+))? \{/#)
            #expect(methods.contains { $0.1 == "run" }, "\(name)")
            for method in methods {
                guard let type = method.2 else {
                    #expect(method.1 == "run", "the plan of \(name)")
                    silent.insert(name)
                    continue
                }
                #expect(!type.hasPrefix("[") && !bare.contains(type), "\(name) gives \(type)")
            }
        }
        #expect(silent == Self.silent)
    }
}
