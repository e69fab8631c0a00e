import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMedia
import ValiseSecrets

/// An archive from another machine, before it may become an account. It is opened once: what was looked at before a question is
/// what is imported after it, whatever has its name by then.
struct ReceivedArchive: Sendable {
    let path: FilePath
    /// Where the account shall be.
    let location: AccountLocation
    /// Whether it was given, and not received by a link.
    let isUsersOwn: Bool
    /// Whoever reads it says why it could not be opened.
    private let file: Result<FileSource, FileError>

    init(_ path: FilePath, isUsersOwn: Bool, _ target: ReceivingTarget) {
        self.path = path
        location = target.location
        self.isUsersOwn = isUsersOwn
        do throws(FileError) {
            file = .success(try FileSource(path, fileSystem: target.fileSystem))
        } catch {
            file = .failure(error)
        }
    }

    /// In bytes.
    /// - Throws: ``FileError``.
    func size() throws -> Int64 { try file.get().size }

    /// Reads its directory.
    /// - Throws: `ZipError` for an archive that is no sound zip file; `ContainerError`; ``FileError``.
    func storage() throws -> ArchiveStorage { try ArchiveStorage(file.get(), limits: ZipLimits()) }

    /// Looks at its directory only.
    /// - Throws: ``DeviceMigrationError`` with `notAnArchive`, or `damaged` for a file that was cut; ``FileError``.
    func checkDirectory() throws { _ = try content() }

    /// Reads all of it.
    ///
    /// - Returns: the entries that are damaged, but for databases.
    /// - Throws: ``DeviceMigrationError``: `notAnArchive`; `damaged` where a database is; ``FileError``.
    func verify(_ progress: ProgressHandler) throws -> [String] {
        let content = try content()
        let total = content.index.archiveSize
        let faults = try content.contents.check(
            progress: {
                try progress(OperationProgress("verifying the archive", completed: $0, total: total))
            })
        for fault in faults {
            guard case .database = ArchiveLayout.role(of: fault.entry.name) else { continue }
            throw DeviceMigrationError(
                .damaged,
                "\(fault.entry.name) in the received archive is damaged, and was already damaged when it was "
                    + "sent. Nothing was changed here.",
                subject: path.string, cause: fault.error, remedy: .renewLinkElsewhere)
        }
        return faults.map(\.entry.name)
    }

    /// - Throws: ``DeviceMigrationError`` with `notAnArchive`; ``FileError``.
    private func content() throws -> ArchiveStorage {
        let content: ArchiveStorage
        do {
            content = try storage()
        } catch let error as ZipError {
            // What came by a link is what was sent, whole; a file may have been cut on its way.
            let isDamaged = isUsersOwn && error.code == .damaged
            throw notAnArchive("not a valid zip file", error, isDamaged: isDamaged)
        }
        for database in AccountDatabase.allCases
        where content.index.entry(named: database.archiveName) == nil {
            throw notAnArchive("\(database.archiveName) is missing", nil)
        }
        return content
    }

    private func notAnArchive(
        _ why: String, _ cause: ZipError?, isDamaged: Bool = false
    ) -> DeviceMigrationError {
        DeviceMigrationError(
            isDamaged ? .damaged : .notAnArchive,
            isUsersOwn
                ? "not an account archive: \(cause?.message ?? why). Nothing was changed."
                : "the received file is not an account archive: \(why). It is kept, and nothing else was "
                    + "changed.",
            subject: path.string, cause: isUsersOwn ? nil : cause,
            remedy: isUsersOwn ? nil : .cancelMove(Remedy.Account(location)))
    }

    /// Whether a passphrase is needed.
    func isEncrypted() throws -> Bool {
        try AccountReader(storage()).isEncrypted(.chat)
    }

    /// Whether it opens both databases, which lie where they are.
    func opens(_ passphrase: borrowing SecretBytes) throws -> Bool {
        let archive = try storage()
        do {
            let reader = AccountReader(archive)
            let sources = try [
                AccountDatabase.chat: reader.source(of: .chat), .agent: reader.source(of: .agent),
            ]
            try PassphraseVerification.run(passphrase, sources)
        } catch let error as any Failure where error.code == .wrongPassphrase {
            return false
        } catch let error where error is AccountMediaError || error is DatabaseError {
            // The import tells what is wrong with it.
        }
        return try ArchiveImport.opens(archive, passphrase: passphrase)
    }
}
