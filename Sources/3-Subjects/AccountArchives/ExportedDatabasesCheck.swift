import ValiseAccounts
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValisePages
import ValiseSecrets

/// Checks the databases of an export while their bytes go into the archive: they are not read twice.
///
/// Of an encrypted one the HMAC of every page is checked. One that has no HMACs is walked through by SQLite meanwhile, on a
/// thread of its own.
struct ExportedDatabasesCheck {
    private let exported: [ExportedDatabase]
    private let keys: DatabaseKeys
    private var databases: DatabasesCheck
    private var walks: [BackgroundTask<DatabasesCheck.Walk?>]
    private var verified: [AccountDatabase: PageVerification] = [:]

    /// - Returns: nil where a database is encrypted and no passphrase was given.
    /// - Throws: errors of the sources; `PageCipherError`; `SecretsError`; `CheckError`.
    static func begin(
        _ exported: [ExportedDatabase], _ passphrase: borrowing SecretBytes?
    ) throws -> ExportedDatabasesCheck? {
        if let given = try passphrase.duplicate() { return try ExportedDatabasesCheck(exported, given) }
        guard exported.allSatisfy({ $0.stored.form == .unencrypted }) else { return nil }
        return try ExportedDatabasesCheck(exported, try SecretBytes.empty())
    }

    private init(_ exported: [ExportedDatabase], _ passphrase: borrowing SecretBytes) throws {
        let keys = try DatabaseKeys(exported.map(\.source), passphrase: passphrase)
        let sources = exported.map { (source: $0.source, name: $0.stored.database.archiveName) }
        let given: SecretBytes? = try passphrase.duplicate()
        let databases = try DatabasesCheck(sources, passphrase: given, keys: keys)
        self.exported = exported
        self.keys = keys
        self.databases = databases
        walks = databases.backgroundWalks(isQuick: true)
    }

    /// Checks the pages of a database while its bytes come by.
    /// - Parameter name: of its entry.
    /// - Returns: nil where it has none to check.
    func pages(of name: String) throws -> StreamedVerification? {
        try find(name).flatMap { try keys.pages(of: $0.stored.database) }
    }

    /// Takes what was checked once all bytes of a database came by.
    mutating func end(_ name: String, _ pages: StreamedVerification) throws {
        guard let found = find(name),
            let file = try keys.file(of: found.stored.database, at: found.source)
        else { return }
        verified[found.stored.database] = try pages.finish(file)
    }

    private func find(_ name: String) -> ExportedDatabase? {
        exported.first { $0.stored.database.archiveName == name }
    }

    /// Whether the content of both was checked, as far as it went.
    var areChecked: Bool {
        AccountDatabase.allCases.allSatisfy { database in
            let findings = databases.findings(of: database)
            return findings.checkedHMACs > 0 || findings.isWalked
        }
    }

    /// Waits for all that is checked.
    /// - Returns: one error for each damaged database.
    /// - Throws: errors of the sources; `PageCipherError`; whatever `progress` throws.
    mutating func finish(_ progress: ProgressHandler) throws -> [ArchiveError] {
        try databases.checkPages(known: verified, progress)
        let walks = walks
        self.walks = []
        for walk in walks {
            let found = try walk.value { try progress(OperationProgress("checking the tables")) }
            databases.add(found)
        }
        return exported.compactMap { found in
            let database = found.stored.database
            guard let text = text(databases.findings(of: database)) else { return nil }
            let account = Remedy.Account(ofDatabase: found.stored.path)
            return .fileError(
                file: database.archiveName, fileError: Remark(text, remedy: .checkAccount(account)))
        }
    }

    private func text(_ findings: DatabaseFindings) -> String? {
        guard findings.problemCount > 0 else { return nil }
        // Only the first of many pages are listed, and of other problems there are few.
        let others = findings.problems.filter { $0.kind != .page }
        let pages = findings.problemCount - others.count
        var parts = others.first.map { [$0.message] } ?? []
        if pages > 0 { parts.insert(Count.text(pages, "damaged page"), at: 0) }
        return parts.joined(separator: "; ")
    }
}
