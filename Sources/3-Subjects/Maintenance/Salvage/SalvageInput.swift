import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValisePages
import ValiseSecrets

/// Opens the pages of one database, whatever is left of it. The file itself is only read.
struct SalvageInput {
    /// A database that could be opened.
    struct Opened {
        let pages: SalvagePages
        /// Nil where it is not encrypted.
        let encrypted: EncryptedDatabaseFile?
        /// The file that was read: the database itself, or a copy with its journal folded in.
        let path: FilePath
        let notes: [String]
    }

    let fileSystem: FileSystem
    let options: SalvageOptions
    /// Where a copy may be made.
    let folder: FilePath
    /// What the name of a copy begins with: that of another database must not take its place.
    var copyName = "folded"

    /// - Returns: nil where the passphrase does not open it.
    func open(
        _ database: AccountDatabase, _ file: DatabaseFile, _ passphrase: borrowing SecretBytes,
        _ progress: ProgressHandler
    ) throws -> Opened? {
        var notes: [String] = []
        let path = try folded(database, file, passphrase, &notes, progress)
        let source = try FileSource(path, fileSystem: fileSystem)
        if file.form == .unencrypted, options.hint == nil, let pages = try PlaintextPages.open(source) {
            notes.append("not encrypted: damage inside values cannot be detected")
            return Opened(pages: pages, encrypted: nil, path: path, notes: notes)
        }
        guard let (encrypted, isProven) = try identify(source, file, passphrase, &notes, progress) else {
            // Random bytes, as those of an encrypted database, do not pass for pages of trees.
            guard let pages = try PlaintextPages.guess(source) else { return nil }
            notes.append("the header is damaged; the database is not encrypted")
            return Opened(pages: pages, encrypted: nil, path: path, notes: notes)
        }
        var verification: PageVerification?
        if isProven, encrypted.settings.hmacAlgorithm != nil {
            verification = try encrypted.verify { done in
                try progress(
                    OperationProgress(
                        "checking the \(database.rawValue) database", completed: done, total: source.size)
                )
            }
        } else {
            notes.append("the pages of this database have no authentication and were read unverified")
        }
        let pages = try SalvagePages(encrypted, verification, usesDamaged: options.usesDamagedPages)
        return Opened(pages: pages, encrypted: encrypted, path: path, notes: notes)
    }

    // MARK: Journals

    /// A journal belongs to the content. Where it cannot be folded in, the main file is all there is.
    private func folded(
        _ database: AccountDatabase, _ file: DatabaseFile, _ passphrase: borrowing SecretBytes,
        _ notes: inout [String], _ progress: ProgressHandler
    ) throws -> FilePath {
        guard file.journalSize != nil || file.walSize != nil else { return file.path }
        let copy = copy(of: database)
        for usesPassphrase in [true, false] {
            try removeCopy(copy)
            do {
                try progress(OperationProgress("applying the journal of the \(database.rawValue) database"))
                try DatabaseCopy.make(
                    of: file, at: copy, passphrase: usesPassphrase ? try passphrase.duplicate() : nil,
                    fileSystem: fileSystem)
                notes.append("the journal was applied to a copy of the database")
                return copy
            } catch let error as any Failure where error.code != .interrupted && error.code != .noSpace {
                continue
            }
        }
        try removeCopy(copy)
        notes.append(
            "the journal could not be merged; the main file was read without it")
        return file.path
    }

    private func copy(of database: AccountDatabase) -> FilePath {
        folder.appending("\(copyName)\(database.suffix)")
    }

    /// Removes the copy of a database, where one was made.
    func removeCopy(of database: AccountDatabase) throws { try removeCopy(copy(of: database)) }

    private func removeCopy(_ copy: FilePath) throws {
        for suffix in ["", "-journal", "-wal", "-shm"] {
            let path = copy.appendingSuffix(suffix)
            if try fileSystem.exists(path) { try fileSystem.remove(path) }
        }
    }

    // MARK: Keys

    private func identify(
        _ source: FileSource, _ file: DatabaseFile, _ passphrase: borrowing SecretBytes,
        _ notes: inout [String], _ progress: ProgressHandler
    ) throws -> (EncryptedDatabaseFile, isProven: Bool)? {
        guard !passphrase.isEmpty else { return nil }
        if let found = try CipherIdentification.identify(
            source, passphrase: passphrase, hint: options.hint
        ).file {
            return (found, true)
        }
        let salts = LostSalt(source: source, file: file, fileSystem: fileSystem)
        if let found = try salts.fromCopies(passphrase) {
            notes.append("the salt (first 16 bytes) is damaged; that of a previous copy beside it works")
            return (found, true)
        }
        if options.repairsSalt, let found = try salts.withOneBitChanged(passphrase, progress) {
            notes.append("one bit of the salt (first 16 bytes) was changed")
            return (found, true)
        }
        if let found = try salts.rawKey(passphrase) {
            notes.append("the salt (first 16 bytes) is damaged; the raw key decrypts without it")
            return (found, false)
        }
        return nil
    }
}
