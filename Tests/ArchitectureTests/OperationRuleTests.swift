import Testing

/// The operations of the front door (decision 0047).
struct OperationRuleTests {
    /// What changes no account, record or file of the user, so that there is nothing to plan.
    private static let reading: Set<String> = [
        "AuditMedia", "BrowseConversations", "CheckAccount", "CheckRelay", "CheckSession", "CompareAccounts",
        "CompareSnapshots",
        "CompareStore",
        "DescribeFiles", "DescribeJobsService", "DrillSnapshot", "FindAccounts", "FindSentAccount",
        "InspectAccount", "InspectEncryption", "ListArchive", "ListConversations", "ListMigrations",
        "ListOperations", "ListPassphrases", "ListRepositoryKeys", "ListSessionGuards", "ListSnapshots",
        "ListStore",
        "LoadLinkPreview",
        "MountTree",
        "PingMonitor",
        "PlanTransfers", "QueryAccount", "ReadConversation", "ReadRecoveryPassword", "SearchConversations",
        "ShowBackupStatus",
        "ShowJob", "ShowMoveLink", "ShowRelayStatus", "ShowSnapshot", "ShowStoreStatus",
        "SummarizeConversations", "SummarizeSession",
        "UnlockStore", "VerifyFiles",
        "VerifyPassphrase", "VerifyRecoverySheet", "VerifyRepository", "VerifySessionExport", "VerifyStore",
        "WatchJobs",
    ]

    /// What reads, and besides its result can write a report of it to a file that was named for that. All that a plan could say
    /// is that name: whether a report may be written there is found out before the work begins.
    private static let reporting: Set<String> = ["Diagnose", "VerifyArchive"]

    /// What copies its input into a file without a name, which goes with the process: what follows has the plan.
    private static let buffering: Set<String> = ["KeepArchive"]

    /// What says what would be sent, and besides can keep that as a draft, and write pictures into a folder that was named for that.
    private static let composing: Set<String> = ["ComposeMessage"]

    /// What has nothing to report but that it was done, or gives its results while it runs.
    private static let silent: Set<String> = [
        "BrowseConversations", "ForgetMove", "MountTree", "PingMonitor", "QueryAccount", "RestoreRetired",
        "RollBackMigration",
        "RunRelay",
    ]

    static func operations() throws -> [(name: String, body: Substring)] {
        try SourceTree.files(in: "Sources/4-Operations").flatMap { file in
            file.text.matches(
                of:
                    #/(?m)^(?:public |package )?struct (\w+)(?:<[^>]*>)?: [^{\n]*\bOperation\b[^{]*\{\n((?s:.*?))^\}/#
            ).map { (name: String($0.1), body: $0.2) }
        }
    }

    @Test func `each operation has a plan, public or not, unless it reads, reports or buffers`() throws {
        let operations = try Self.operations()
        #expect(operations.count > 45)
        let found = operations.filter { !$0.body.contains("func plan(in") }.map(\.name)
        #expect(Set(found) == Self.reading.union(Self.reporting).union(Self.buffering).union(Self.composing))
    }

    @Test func `of the operations without a plan, those that report alone have a report file`() throws {
        let planless = Self.reading.union(Self.reporting).union(Self.buffering).union(Self.composing)
        let found = try Self.operations().filter {
            planless.contains($0.name) && $0.body.contains("reportFile")
        }
        #expect(Set(found.map(\.name)) == Self.reporting)
    }

    @Test func `what reads makes no file, and has nobody else make one`() throws {
        // Names of what writes, below the operations.
        let writing = [
            "PendingFile(", "createUnnamed(", "makeDirectories(", "AccountWriter(", ".synchronize()",
            "OperationJobs(",
        ]
        for (name, body) in try Self.operations() where Self.reading.contains(name) {
            for word in writing { #expect(!body.contains(word), "\(name): \(word)") }
        }
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
