import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseSecrets

/// What is in the databases whose checksums hold. A checksum says only that a database is what was packed: pages may have
/// been damaged before, or a whole entry been put together from damaged ones.
struct DatabaseSoundness {
    private var findings: [AccountDatabase: DatabaseFindings] = [:]
    private var isOfTwoAccounts = false
    /// Why they could not be looked into; nil where they could.
    private var failure: String?
    /// Whether the passphrase opens none of those that there are.
    private(set) var isRefused = false
    /// Whether it opens one, or one needs none.
    var isOneOpened: Bool { failure != nil || !findings.isEmpty && !isRefused }

    /// - Parameter passphrase: without it, only databases that are not encrypted are looked at.
    /// - Throws: errors of the source; what `progress` throws.
    init(
        _ archive: any ByteSource, _ selection: SalvagedEntries, _ passphrase: borrowing SecretBytes?,
        _ progress: ProgressHandler
    ) throws {
        let whole = AccountDatabase.allCases.filter { selection.whole($0) != nil }
        guard !whole.isEmpty else { return }
        do {
            try look(into: whole, archive, selection, passphrase, progress)
        } catch let error as any Failure where error.isOfDatabase || error is CheckError {
            guard error.code != .noSpace, error.code != .interrupted else { throw error }
            failure = error.message
        }
    }

    private mutating func look(
        into whole: [AccountDatabase], _ archive: any ByteSource, _ selection: SalvagedEntries,
        _ passphrase: borrowing SecretBytes?, _ progress: ProgressHandler
    ) throws {
        let sources = try AccountDatabase.allCases.map { database in
            // What is not there is an empty one to the check, and not asked about.
            let none = PartialSource(0..<0, of: archive, path: archive.path)
            let source = try selection.whole(database)?.source(in: archive) ?? none
            return (source: source as any ByteSource, name: database.archiveName)
        }
        try progress(OperationProgress("checking the databases"))
        var check = try DatabasesCheck(sources, passphrase: passphrase)
        isRefused = whole.allSatisfy { check.findings(of: $0).key == .wrong }
        if !isRefused {
            try check.checkPages(progress)
            let walks = check.backgroundWalks()
            for walk in walks {
                check.add(try walk.value { try progress(OperationProgress("checking the tables")) })
            }
        }
        for database in whole { findings[database] = check.findings(of: database) }
        if whole.count == AccountDatabase.allCases.count, findings.values.allSatisfy(\.isOpened) {
            isOfTwoAccounts = try check.agreement()?.isIntact == false
        }
    }

    /// Leaves damaged ones to the salvage, where the passphrase opens them or none is needed.
    ///
    /// - Parameter hasChecksums: whether the archive says what was packed.
    func condemn(_ selection: inout SalvagedEntries, hasChecksums: Bool) {
        for (database, found) in findings where found.isDamaged && found.isOpened {
            selection.condemn(
                database,
                because: (hasChecksums ? "valid checksum, but damaged content: " : "") + found.reason)
        }
    }

    func note(_ report: inout ArchiveSalvageReport) {
        for index in report.databases.indices where report.databases[index].state == .whole {
            guard let reason = fault(of: report.databases[index].database) else { continue }
            report.databases[index].state = .faulty
            report.databases[index].reason = reason
        }
        for index in report.databases.indices {
            guard let found = findings[report.databases[index].database] else { continue }
            report.databases[index].isLookedAt = found.isOpened
        }
    }

    /// What is wrong with a database whose checksum holds; nil where nothing is.
    private func fault(of database: AccountDatabase) -> String? {
        guard let found = findings[database] else {
            return failure.map { "could not be checked: \($0)" }
        }
        if !found.isIntact || found.key == .wrong { return found.reason }
        return isOfTwoAccounts ? "the databases belong to different accounts" : nil
    }
}

extension DatabaseFindings {
    /// Whether its content was open to the check.
    fileprivate var isOpened: Bool { key == .right || key == .notNeeded && form == .unencrypted }

    /// What a salvage can mend. Rows that refer to nothing it could only drop, and of what is no database it reads nothing.
    fileprivate var isDamaged: Bool {
        problems.contains { [.page, .cutOff, .structure, .unreadable].contains($0.kind) }
            && !problems.contains { $0.kind == .notADatabase }
    }

    fileprivate var reason: String {
        guard let first = problems.first else { return "wrong passphrase" }
        return problemCount == 1 ? first.message : "\(first.message), and \(problemCount - 1) more"
    }
}
