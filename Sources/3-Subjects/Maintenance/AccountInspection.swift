import SystemPackage
package import ValiseAccounts
import ValiseChatSchema
import ValiseDatabase
import ValiseFailures
package import ValiseFiles
import ValiseMedia
package import ValiseSecrets

/// Looks at an account and changes nothing, not even a lock file.
///
/// All rows are read first, of both databases as of one moment. Then the databases are let go, and only then files are looked
/// for: that may take long, and a program that cannot write meanwhile would fail (decision 44).
package struct AccountInspection {
    private let largestCopy: Int64
    private let longestHold: Duration
    private let fileSystem: FileSystem

    /// - Parameters:
    ///   - largestCopy: how large both databases of an account in use are together, in bytes, that are copied at once: in less
    ///     time than the keys are derived in.
    ///   - longestHold: how long a program is held up while larger ones are read where they are, before they are copied after
    ///     all. The official program gives up after three seconds.
    ///   - fileSystem: where files are looked at.
    package init(
        largestCopy: Int64 = 64 << 20, longestHold: Duration = .seconds(1),
        fileSystem: FileSystem = FileSystem()
    ) {
        self.largestCopy = largestCopy
        self.longestHold = longestHold
        self.fileSystem = fileSystem
    }

    /// Everything that can be told with the passphrase, or without it.
    ///
    /// - Parameters:
    ///   - location: the account.
    ///   - passphrase: nil where it is not known: schema and cipher are left out then.
    /// - Throws: `FileError` when the system does not let us look. What is wrong with a database is no
    ///   failure here but part of the answer.
    package func status(
        _ location: AccountLocation, passphrase: borrowing SecretBytes?
    ) throws -> AccountStatus {
        let known = try passphrase.duplicate()
        guard try opensAny(of: location, known) else {
            let reader = try AccountReader(lockedAsItIs: location, fileSystem: fileSystem)
            return try status(location, reader, known) {}
        }
        // Before anything is locked.
        try AccountReader(asItIs: location, fileSystem: fileSystem).deriveKeys(known)
        do {
            let reader = try AccountReader(
                lookingAt: location, copiesUpTo: largestCopy, fileSystem: fileSystem)
            let isHeld = reader.blocksPrograms
            let end = ContinuousClock.now + longestHold
            return try status(location, reader, known) {
                if isHeld, ContinuousClock.now > end { throw HeldTooLong() }
            }
        } catch is HeldTooLong {
            let reader = try AccountReader(lookingAt: location, copiesUpTo: .max, fileSystem: fileSystem)
            return try status(location, reader, known) {}
        }
    }

    /// Whether a database would be opened: nothing is copied, and nobody held up, for what tells of files alone.
    private func opensAny(
        of location: AccountLocation, _ passphrase: borrowing SecretBytes?
    ) throws -> Bool {
        switch passphrase {
        case .some: return true
        case .none:
            let account = AccountReader(asItIs: location, fileSystem: fileSystem)
            return try AccountDatabase.allCases.contains { try account.form(of: $0) == .unencrypted }
        }
    }

    /// The rows take too long to be read where they are.
    private struct HeldTooLong: Error {}

    /// - Parameter checkpoint: called for each row; throw to stop.
    private func status(
        _ location: AccountLocation, _ reader: AccountReader, _ passphrase: borrowing SecretBytes?,
        checkpoint: () throws -> Void
    ) throws -> AccountStatus {
        let recovery = try AccountRecovery.pending(location, fileSystem: fileSystem)
        let backup = try AccountBackup(location, fileSystem: fileSystem)
        var rows: MediaRows?
        var chat = try database(.chat, reader, passphrase) {
            rows = try MediaRows($0, checkpoint: checkpoint)
        }
        try checkpoint()
        var agent = try database(.agent, reader, passphrase)
        chat.noteLostPage(beside: agent)
        agent.noteLostPage(beside: chat)
        reader.releaseDatabases()
        return AccountStatus(
            directory: location.directory.string, prefix: location.prefix, style: location.style,
            chat: chat, agent: agent,
            media: try folder(location.filesFolder),
            mediaSummary: try rows.map { try MediaSummary($0, reader.media) },
            wallpapers: try folder(location.wallpapersFolder),
            freeSpace: try fileSystem.freeSpace(at: location.directory),
            interrupted: recovery.map {
                .init(state: $0.state, operation: $0.operation, meaning: $0.pendingSentence)
            },
            migrationBackup: try backup?.size(), inUse: reader.holder,
            readOnly: try ReadOnlyMark.read(location, fileSystem: fileSystem),
            retired: try RetiredMark.read(location, fileSystem: fileSystem))
    }

    /// - Parameter look: sees the database once it is open. What it cannot read is told as a problem.
    private func database(
        _ database: AccountDatabase, _ reader: AccountReader, _ passphrase: borrowing SecretBytes?,
        look: (borrowing Connection) throws -> Void = { _ in }
    ) throws -> DatabaseStatus {
        guard let file = try reader.ownFile(of: database) else {
            throw AccountError(.unsupported, "not the account in a folder", reader.path)
        }
        var access = DatabaseStatus.Access.noDatabase
        var problem = Self.problem(of: file)
        var isDamaged = problem != nil
        var cipher: CipherParameters?
        var schema: SchemaStatus?
        if let key = try key(for: file, passphrase, &access) {
            do {
                let connection = try reader.connect(database, passphrase: key)
                if file.form == .encrypted { cipher = try CipherParameters(connection) }
                schema = try SchemaStatus(connection, of: database.lineage)
                access = file.form == .unencrypted ? .notNeeded : .opened
                do {
                    try look(connection)
                } catch let error as DatabaseError {
                    // A single row is what a program wrote there.
                    (problem, isDamaged) = (error.message, error.code == .damaged && !error.isOfRow)
                }
            } catch let error as DatabaseError {
                // No passphrase is wrong for a file that needs none.
                let isFirstPage = error.isNotADatabase && file.form == .unencrypted
                access = error.isNotADatabase && !isFirstPage ? .refused : .failed
                problem = isFirstPage ? "the first page is damaged" : error.message
                isDamaged = isFirstPage || error.code == .damaged
            } catch let error as AccountError {
                (access, problem) = (.failed, "cannot open the database: \(Self.reason(error))")
            } catch let error as FileError where error.code != .interrupted {
                // There is no place for the copy that its journal asks for.
                (access, problem) = (.failed, "cannot open the database: \(error.message)")
            }
        }
        return DatabaseStatus(
            file: file.path.string, form: file.form, size: file.size, journal: file.journalSize,
            writeAheadLog: file.walSize, copies: file.copies, access: access, problem: problem,
            isDamaged: isDamaged, cipher: cipher, schema: schema)
    }

    /// Why an account gives no database, without what has been changed: nobody asked for a change.
    private static func reason(_ error: AccountError) -> String {
        error.code == .inUse ? "database is locked: in use by another program" : error.message
    }

    /// What is wrong with a file before it is opened; nil for nothing. A transaction in a side file may still be applied.
    private static func problem(of file: DatabaseFile) -> String? {
        guard file.journalSize == nil, file.walSize == nil else { return nil }
        return switch file.form {
        case .missing, .unencrypted, .encrypted: nil
        case .empty: "the file is empty"
        case .unknown: "the file is cut off, or not a database: it does not consist of whole pages"
        }
    }

    /// The key to open a file with; nil where there is nothing to open, or no passphrase.
    private func key(
        for file: DatabaseFile, _ passphrase: borrowing SecretBytes?,
        _ access: inout DatabaseStatus.Access
    ) throws -> SecretBytes? {
        switch file.form {
        case .missing, .empty, .unknown: return nil
        case .unencrypted: return try SecretBytes.empty()
        case .encrypted:
            access = .noPassphrase
            return try passphrase.duplicate()
        }
    }

    private func folder(_ path: FilePath) throws -> AccountStatus.FolderStatus {
        guard try fileSystem.isDirectory(path) else {
            return .init(path: path.string, exists: false, files: 0, size: 0)
        }
        var files = 0
        var size: Int64 = 0
        for entry in try fileSystem.list(path) where entry.kind == .regular {
            guard let name = FilePath.Component(bytes: entry.nameBytes) else { continue }
            files += 1
            size += try fileSystem.attributes(of: path.appending(name))?.size ?? 0
        }
        return .init(path: path.string, exists: true, files: files, size: size)
    }
}
