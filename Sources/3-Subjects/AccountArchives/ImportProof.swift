package import ValiseAccounts
package import ValiseChatSchema
package import ValiseConcurrency
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles
package import ValiseMaintenance

/// Everything that is asked of both databases before an import takes them: pages, tables, indexes, references, schema, and
/// whether they belong together. The import and the verification of an archive use this one.
package struct ImportProof: Sendable {
    /// The check as far as it has come.
    package var databases: DatabasesCheck
    /// Nil where it could not be read.
    package private(set) var chatSchema: SchemaStatus?
    /// Nil where it could not be read.
    package private(set) var agentSchema: SchemaStatus?
    /// Nil where not both databases could be read.
    package private(set) var agreement: DatabaseAgreement?

    /// - Parameter databases: opened, their pages checked.
    package init(_ databases: DatabasesCheck) {
        self.databases = databases
    }

    /// Begins to walk through the tables of both, on threads of their own.
    package func backgroundWalks() -> [BackgroundTask<DatabasesCheck.Walk?>] { databases.backgroundWalks() }

    /// Reads the schemas, and notes tables that are missing.
    /// - Throws: errors of the sources; whatever `progress` throws.
    package mutating func readSchemas(_ progress: ProgressHandler) throws {
        chatSchema = try databases.read(.chat, progress) { try SchemaStatus($0, of: .chat) }
        agentSchema = try databases.read(.agent, progress) { try SchemaStatus($0, of: .agent) }
        for (database, schema) in schemas where schema.origin.isKnown && !schema.isNewer {
            try databases.requireTables(of: database, progress)
        }
    }

    /// Waits for the walks, then looks whether the two belong together.
    /// - Throws: errors of the sources; whatever `progress` throws.
    package mutating func finish(
        _ walks: [BackgroundTask<DatabasesCheck.Walk?>], _ progress: ProgressHandler
    ) throws {
        let activity = OperationProgress("checking the tables")
        try progress(activity)
        for walk in walks { databases.add(try walk.value { try progress(activity) }) }
        agreement = try databases.agreement(progress)
    }

    /// What was found of both.
    package var findings: [(AccountDatabase, DatabaseFindings)] {
        AccountDatabase.allCases.map { ($0, databases.findings(of: $0)) }
    }

    private var schemas: [(AccountDatabase, SchemaStatus)] {
        [(AccountDatabase.chat, chatSchema), (.agent, agentSchema)].compactMap { name, found in
            found.map { (name, $0) }
        }
    }

    /// What an import makes of them.
    package var judgement: ImportJudgement {
        ImportJudgement(findings, agreement: agreement, schemas: schemas)
    }

    /// What is wrong; nil for nothing.
    package var firstProblem: String? { problems.first }

    /// What is wrong, a sentence for each: the first ones of each database.
    var problems: [String] {
        var list: [String] = []
        for (database, found) in findings { list += Self.problems(of: database, found) }
        if Set(findings.map(\.1.form)) == [.encrypted, .unencrypted] {
            list.append("one database is encrypted and the other is not")
        }
        if let agreement, !agreement.isIntact { list.append("the databases belong to different accounts") }
        for (database, schema) in schemas where !schema.origin.isKnown {
            list.append(
                "\(database.archiveName): "
                    + (schema.origin == .otherDatabase
                        ? "this is the other database of the account, misnamed"
                        : "unknown schema"))
        }
        return list
    }

    private static let mostListed = 20

    private static func problems(of database: AccountDatabase, _ found: DatabaseFindings) -> [String] {
        var list = found.problems.prefix(mostListed).map(\.message)
        let more = found.problemCount - list.count
        if more > 0 { list.append(Count.text(more, "more problem")) }
        if found.key == .wrong, list.isEmpty { list.append("wrong passphrase") }
        if found.key == .right, found.cipherFormat != 4 {
            list.append(
                found.cipherFormat.map { "encrypted in format \($0), which the apps cannot open" }
                    ?? "encrypted with custom settings, which the apps cannot open")
        }
        return list.map { "\(database.archiveName): \($0)" }
    }
}
