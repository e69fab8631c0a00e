import ValiseAccounts
import ValiseArchives
import ValiseChatSchema
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseMedia
import ValiseSecrets

/// One verification while it runs.
///
/// The walk through tables and indexes is the longest part and keeps one core busy for each database. So it begins as
/// soon as the pages are checked, and everything else goes on beside it.
struct VerificationRun {
    private let content: ArchiveStorage
    private let reader: AccountReader
    private(set) var report: ArchiveVerificationReport

    private static let mostListed = 1000

    init(_ content: ArchiveStorage, _ report: ArchiveVerificationReport) {
        self.content = content
        reader = AccountReader(content)
        self.report = report
    }

    mutating func run(_ passphrase: borrowing SecretBytes?, _ progress: ProgressHandler) throws {
        noteEntries()
        guard report.missing.isEmpty, let databases = try opened(passphrase, progress) else {
            return try checkContents(progress)
        }
        var proof = ImportProof(databases)
        let walks = proof.backgroundWalks()
        try checkContents(progress)
        try proof.readSchemas(progress)
        try readChat(&proof.databases, progress)
        try proof.finish(walks, progress)
        (report.chatSchema, report.agentSchema) = (proof.chatSchema, proof.agentSchema)
        report.agreement = proof.agreement
        report.chat = proof.databases.findings(of: .chat)
        report.agent = proof.databases.findings(of: .agent)
    }

    // MARK: The zip file

    private mutating func noteEntries() {
        report.structure.entries = content.index.entries.count
        report.structure.unpackedSize = content.index.totalSize
        report.structure.hidden = Array(content.index.hidden.prefix(Self.mostListed))
        report.structure.hiddenCount = content.index.hidden.count
        report.structure.flagDifferences = Array(content.index.flagDifferences.prefix(Self.mostListed))
        report.structure.flagDifferenceCount = content.index.flagDifferences.count
        report.missing = AccountDatabase.allCases.filter {
            content.index.entry(named: $0.archiveName) == nil
        }
        for entry in content.index.entries where !entry.isFolder {
            guard ArchiveLayout.role(of: entry.name) == .other else { continue }
            report.structure.foreignCount += 1
            if report.structure.foreign.count < Self.mostListed {
                report.structure.foreign.append(entry.name)
            }
        }
    }

    private mutating func checkContents(_ progress: ProgressHandler) throws {
        let files = content.index.entries.filter { !$0.isFolder }
        let total = files.reduce(0) { $0 + $1.compressedSize }
        let problems = try content.contents.check(progress: {
            try progress(OperationProgress("comparing checksums", completed: $0, total: total))
        })
        var findings = ContentsFindings()
        findings.files = files.count
        findings.bytes = files.reduce(0) { $0 + $1.size }
        findings.problemCount = problems.count
        findings.problems = problems.prefix(Self.mostListed).map { EntryProblem($0.error) }
        findings.hasDatabaseProblem = problems.contains {
            if case .database = ArchiveLayout.role(of: $0.entry.name) { true } else { false }
        }
        report.contents = findings
    }

    // MARK: The databases

    /// - Returns: nil where the packing of a database is damaged, which its checksum will tell.
    private func opened(
        _ passphrase: borrowing SecretBytes?, _ progress: ProgressHandler
    ) throws -> DatabasesCheck? {
        do {
            let sources = try AccountDatabase.allCases.map { database in
                (source: try reader.source(of: database), name: database.archiveName)
            }
            var databases = try DatabasesCheck(sources, passphrase: passphrase)
            try databases.checkPages(progress)
            return databases
        } catch let error as ZipError where error.code == .damaged {
            return nil
        }
    }

    private mutating func readChat(_ databases: inout DatabasesCheck, _ progress: ProgressHandler) throws {
        report.users = try databases.read(.chat, progress) { try Self.users($0) }
        let media = try reader.media
        let path = reader.path
        report.media = try databases.read(.chat, progress) { connection in
            guard try MediaTable(connection) != nil else { return nil }
            return try MediaAudit().audit(connection, media, path: path, progress: progress)
        }
    }

    /// - Returns: nil where there is no such table.
    private static func users(_ connection: borrowing Connection) throws -> [ArchivedUser]? {
        let schema = try ChatSchema(connection)
        guard schema.namesUsers else { return nil }
        var rows = try schema.users(connection)
        var users: [ArchivedUser] = []
        while let user = try rows.next() {
            users.append(
                // Without a column for passphrases of profiles, none is hidden.
                ArchivedUser(
                    name: user.isHidden.value == true ? nil : user.name, isActive: user.isActive.value))
        }
        return users
    }
}
