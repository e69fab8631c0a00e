import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValisePages
import ValiseSecrets

/// Proves the databases of an archive while they are unpacked, so that they are judged before they replace anything.
///
/// The keys are derived before anything is unpacked, from the first pages in the archive. Then the pages are checked while
/// they come by, and as soon as both databases are there, the walks through their tables begin, beside the unpacking of
/// the media.
final class ImportedDatabases {
    private let archive: FilePath
    private let fileSystem: FileSystem
    private let passphrase: SharedSecret?
    /// Nil without a passphrase.
    let keys: DatabaseKeys?
    private var pages: (database: AccountDatabase, verification: StreamedVerification)?
    private var verified: [AccountDatabase: PageVerification] = [:]
    private var unpacked: [AccountDatabase: FilePath] = [:]
    private var proof: ImportProof?
    private var walks: [BackgroundTask<DatabasesCheck.Walk?>] = []

    /// - Throws: ``AccountArchiveError`` with `wrongPassphrase` where the passphrase opens neither.
    init(
        _ archive: FilePath, _ content: ArchiveStorage, _ passphrase: borrowing SecretBytes?,
        _ fileSystem: FileSystem
    ) throws {
        self.archive = archive
        self.fileSystem = fileSystem
        if let passphrase = try passphrase.duplicate() {
            self.passphrase = SharedSecret(passphrase)
        } else {
            self.passphrase = nil
        }
        keys = try self.passphrase.flatMap { try Self.keys(content, $0) }
        if keys?.isPassphraseWrong == true { throw Self.wrongPassphrase(archive) }
    }

    /// - Returns: nil where the packing of a database is damaged, which its checksum will tell.
    private static func keys(
        _ content: ArchiveStorage, _ passphrase: SharedSecret
    ) throws -> DatabaseKeys? {
        do {
            let sources = try AccountDatabase.allCases.compactMap { database in
                try content.index.entry(named: database.archiveName).map { try content.source(of: $0) }
            }
            guard sources.count == AccountDatabase.allCases.count else { return nil }
            return try DatabaseKeys(sources, passphrase: passphrase.bytes)
        } catch let error as ZipError where error.code == .damaged {
            return nil
        }
    }

    static func wrongPassphrase(_ archive: FilePath) -> AccountArchiveError {
        AccountArchiveError(
            .wrongPassphrase,
            "wrong passphrase. Nothing was changed.",
            subject: archive.string)
    }

    // MARK: While they come

    func begin(_ database: AccountDatabase) throws {
        pages = try keys?.pages(of: database).map { (database, $0) }
    }

    func add(_ bytes: UnsafeRawBufferPointer) throws { try unsafe pages?.verification.add(bytes) }

    /// - Parameter path: of the unpacked database, closed.
    func end(_ database: AccountDatabase, at path: FilePath) throws {
        unpacked[database] = path
        if let pages, pages.database == database, let keys {
            let source = try FileSource(path, fileSystem: fileSystem)
            verified[database] = try keys.file(of: database, at: source).map {
                try pages.verification.finish($0)
            }
        }
        pages = nil
        if unpacked.count == AccountDatabase.allCases.count { try start() }
    }

    private func start() throws {
        let sources = try AccountDatabase.allCases.compactMap { database in
            try unpacked[database].map {
                (
                    source: try FileSource($0, fileSystem: fileSystem) as any ByteSource,
                    name: database.archiveName
                )
            }
        }
        var databases = try DatabasesCheck(
            sources, passphrase: try passphrase?.bytes.duplicate(), keys: keys)
        try databases.checkPages(known: verified) { _ in }
        let proof = ImportProof(databases)
        walks = proof.backgroundWalks()
        self.proof = proof
    }

    // MARK: Once they are there

    /// Waits for the proof.
    ///
    /// - Parameter allowsDamaged: whether databases are taken that would be refused.
    /// - Returns: what was proved.
    /// - Throws: ``AccountArchiveError`` where they are refused; errors of the files; whatever `progress` throws.
    func judge(allowsDamaged: Bool, _ progress: ProgressHandler) throws -> ImportProof {
        guard var proof else { throw Self.missing(archive) }
        let walks = walks
        self.walks = []
        try proof.readSchemas(progress)
        try proof.finish(walks, progress)
        if let refusal = Self.refusal(of: proof, allowsDamaged: allowsDamaged, archive) { throw refusal }
        for (database, path) in unpacked {
            try proof.databases.dropLog(of: database, at: path)
        }
        return proof
    }

    private static func missing(_ archive: FilePath) -> AccountArchiveError {
        AccountArchiveError(
            .damaged, "a database was not unpacked. Nothing was changed.", subject: archive.string)
    }

    /// Why the databases are refused; nil where they are taken.
    static func refusal(
        of proof: ImportProof, allowsDamaged: Bool, _ archive: FilePath
    ) -> AccountArchiveError? {
        guard let code = proof.judgement.refusal else { return nil }
        if code == .wrongPassphrase { return wrongPassphrase(archive) }
        let isNoDatabase = proof.findings.contains { $0.1.form == .unknown }
        if allowsDamaged, !isNoDatabase { return nil }
        let problems = proof.problems
        let what = problems.first ?? "a database was rejected"
        let remedy: Remedy? =
            if isNoDatabase {
                problems.count > 1 ? .verifyArchive(archive) : nil
            } else {
                .acceptDamage(archive, problems: problems.count)
            }
        return AccountArchiveError(
            code, "\(what). Nothing was changed.", subject: archive.string, remedy: remedy)
    }
}
