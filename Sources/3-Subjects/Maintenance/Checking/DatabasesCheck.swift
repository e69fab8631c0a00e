package import SystemPackage
package import ValiseAccounts
import ValiseChatSchema
package import ValiseConcurrency
package import ValiseDatabase
import ValiseFailures
package import ValiseFiles
package import ValisePages
package import ValiseSecrets

/// Both databases of an account under check, opened once, their keys derived once: step by step, for whoever checks more
/// than they are.
package struct DatabasesCheck: Sendable {
    var chat: CheckedDatabase
    var agent: CheckedDatabase

    /// Looks at the form of both and tries the passphrase.
    ///
    /// - Parameters:
    ///   - sources: the chat database and the agent database, with the names that the user knows.
    ///   - passphrase: nil where it is not known.
    ///   - keys: those that were found out before, of databases with the same first pages.
    /// - Throws: errors of the sources; `SecretsError`; ``CheckError``.
    package init(
        _ sources: [(source: any ByteSource, name: String)], passphrase: borrowing SecretBytes?,
        keys: DatabaseKeys? = nil
    ) throws {
        (chat, agent) = try CheckedDatabase.open(sources, passphrase: passphrase, keys: keys)
    }

    /// What was found of a database so far.
    package func findings(of database: AccountDatabase) -> DatabaseFindings { self[database].findings }

    /// Whether the passphrase opens neither.
    package var isPassphraseWrong: Bool { chat.findings.key == .wrong && agent.findings.key == .wrong }

    /// Whether both can be read: the passphrase opens them, or none is needed.
    package var areOpened: Bool { chat.isOpened && agent.isOpened }

    private subscript(database: AccountDatabase) -> CheckedDatabase {
        get { database == .chat ? chat : agent }
        set { if database == .chat { chat = newValue } else { agent = newValue } }
    }

    // MARK: Pages

    /// Checks the HMAC of every page, on all cores.
    ///
    /// - Parameters:
    ///   - known: what the HMACs say of those databases whose pages were checked before.
    ///   - progress: sees how far it is; throw to stop.
    /// - Throws: `PageCipherError`; errors of the sources; whatever `progress` throws.
    package mutating func checkPages(
        known: [AccountDatabase: PageVerification] = [:], _ progress: ProgressHandler
    ) throws {
        if !isPassphraseWrong {
            Self.noteLostSalt(&chat, beside: agent)
            Self.noteLostSalt(&agent, beside: chat)
        }
        for (database, other) in [(AccountDatabase.chat, AccountDatabase.agent), (.agent, .chat)] {
            guard let file = self[database].encrypted else { continue }
            try PageCheck(file, self[database].source, other: self[other].encrypted).run(
                &self[database], known[database], progress)
        }
    }

    /// The official programs use one passphrase for both. Where it opens the other database only, the salt at
    /// the start of this one is damaged, which no HMAC covers; or somebody changed one passphrase alone.
    private static func noteLostSalt(_ checked: inout CheckedDatabase, beside other: CheckedDatabase) {
        guard checked.findings.key == .wrong,
            other.findings.key == .right || other.findings.form == .unencrypted
        else { return }
        let reason =
            other.findings.form == .unencrypted
            ? "does not open with the passphrase, and the other database is not encrypted"
            : "does not open with the passphrase of the other database: its salt, the first 16 bytes, was "
                + "changed, or the database has another passphrase"
        var problem = DatabaseProblem(.page, "page 1 (\(TreeRoots.schemaName)) at byte 0 \(reason)")
        problem.page = 1
        problem.offset = 0
        problem.state = .altered
        problem.table = TreeRoots.schemaName
        checked.findings.add(problem)
    }

    // MARK: Tables and indexes

    /// What a walk through tables and indexes found.
    package struct Walk: Sendable {
        fileprivate let database: AccountDatabase
        fileprivate let problems: [DatabaseProblem]
        fileprivate let isWalked: Bool
    }

    /// Walks through the tables and indexes of one database, on the calling thread.
    ///
    /// - Parameters:
    ///   - database: which of the two.
    ///   - isQuick: indexes are not compared with their tables, and what has HMACs is not walked through.
    ///   - look: called some hundred times a second; throw to stop.
    /// - Returns: nil where it cannot be read, or is known to be damaged: SQLite ends at the first damaged page, and
    ///   what it says up to there is known already.
    /// - Throws: errors of the source; whatever `look` throws.
    package func walk(
        _ database: AccountDatabase, isQuick: Bool = false, by look: () throws -> Void
    ) throws -> Walk? {
        let checked = self[database]
        guard checked.isReadable, checked.findings.isIntact else { return nil }
        // The oldest format has no HMACs either.
        if isQuick, checked.encrypted?.settings.hmacAlgorithm != nil { return nil }
        let (problems, isWalked) = try StructureCheck(isQuick: isQuick).run(checked, by: look)
        return Walk(database: database, problems: problems, isWalked: isWalked)
    }

    /// Adds what a walk found to what is known.
    package mutating func add(_ walk: Walk?) {
        guard let walk else { return }
        // What keeps a walk from beginning was met by who read the database meanwhile, too.
        let known = Set(self[walk.database].findings.problems.map(\.message))
        for problem in walk.problems where !known.contains(problem.message) {
            self[walk.database].findings.add(problem)
        }
        self[walk.database].findings.isWalked = walk.isWalked
    }

    /// Walks through both, side by side.
    /// - Throws: as ``walk(_:isQuick:by:)``; whatever `progress` throws.
    mutating func walk(isQuick: Bool, _ progress: ProgressHandler) throws {
        let activity = OperationProgress("checking the tables")
        try progress(activity)
        for walk in backgroundWalks(isQuick: isQuick) { add(try walk.value { try progress(activity) }) }
    }

    /// Begins to walk through both, side by side, on threads of their own.
    package func backgroundWalks(isQuick: Bool = false) -> [BackgroundTask<Walk?>] {
        AccountDatabase.allCases.map { database in
            BackgroundTask { [self] cancellation in
                try walk(database, isQuick: isQuick) { try cancellation.check() }
            }
        }
    }

    // MARK: Journals

    /// Takes back that a database asks for a write-ahead log, which the official programs never use.
    ///
    /// - Parameters:
    ///   - database: which of the two.
    ///   - path: of the file that was checked. It is written only where it asks.
    /// - Throws: `DatabaseError`; `PageCipherError`; errors of the sources; `SecretsError`.
    package func dropLog(of database: AccountDatabase, at path: FilePath) throws {
        let checked = self[database]
        guard checked.isOpened, try checked.asksForLog() else { return }
        let connection = try checked.connectForWriting(at: path)
        try connection.useRollbackJournal()
    }

    // MARK: Content

    /// Whether the two speak of the same users and connections; nil where not both can be read.
    /// - Parameter progress: asked during long queries too; throw to stop.
    /// - Throws: errors of the sources; whatever `progress` throws.
    package mutating func agreement(_ progress: ProgressHandler = { _ in }) throws -> DatabaseAgreement? {
        guard chat.findings.isIntact, agent.findings.isIntact, agent.isOpened else { return nil }
        let activity = OperationProgress("comparing the databases")
        return try reading(.chat) { [agent] in
            try DatabaseAgreement($0, agent) { try progress(activity) }
        }
    }

    /// Reads a database that may be damaged: what cannot be read is part of what was found then.
    /// - Parameters:
    ///   - database: which of the two.
    ///   - progress: asked during long queries too; throw to stop.
    ///   - body: is lent the connection.
    /// - Returns: nil where it cannot be read.
    /// - Throws: errors of the source; whatever `progress` and `body` throw, but for `DatabaseError`.
    package mutating func read<Result>(
        _ database: AccountDatabase, _ progress: ProgressHandler,
        _ body: (borrowing Connection) throws -> Result?
    ) throws -> Result? {
        let activity = OperationProgress("reading the \(database.rawValue) database")
        return try reading(database) { checked in
            let connection = try checked.connect()
            return try connection.supervised {
                try progress(activity)
            } _: {
                try body(connection)
            }
        }
    }

    /// Notes the tables that every account has, and this database has not. The walk does not miss what is not in the
    /// schema.
    /// - Throws: as ``read(_:_:_:)``.
    package mutating func requireTables(of database: AccountDatabase, _ progress: ProgressHandler) throws {
        guard let found = try tables(of: database, progress) else { return }
        let missing = database.lineage.essentialTables.filter { !found.contains($0) }
        guard !missing.isEmpty else { return }
        self[database].findings.add(
            DatabaseProblem(
                .structure,
                "required tables are missing: \(missing.joined(separator: ", "))"))
    }

    /// Notes a database that has the tables of the account's other one: it stands under a wrong name.
    /// - Throws: as ``read(_:_:_:)``.
    mutating func requireOwnNames(_ progress: ProgressHandler) throws {
        for (database, other) in [(AccountDatabase.chat, AccountDatabase.agent), (.agent, .chat)] {
            guard let found = try tables(of: database, progress),
                !found.isSuperset(of: database.lineage.essentialTables),
                found.isSuperset(of: other.lineage.essentialTables)
            else { continue }
            self[database].findings.add(
                DatabaseProblem(
                    .structure,
                    "contains the tables of the \(other.rawValue) database: the file has the wrong name"
                ))
        }
    }

    private mutating func tables(
        of database: AccountDatabase, _ progress: ProgressHandler
    ) throws -> Set<String>? {
        try read(database, progress) { Set(try $0.tableNames()) }
    }

    private mutating func reading<Result>(
        _ database: AccountDatabase, _ body: (CheckedDatabase) throws -> Result?
    ) throws -> Result? {
        guard self[database].isOpened else { return nil }
        do {
            return try body(self[database])
        } catch let error as DatabaseError {
            if let failure = error.sourceFailure { throw failure }
            // On a damaged page, which is known then.
            if self[database].findings.isIntact {
                self[database].findings.add(DatabaseProblem(.unreadable, error.message))
            }
            return nil
        }
    }
}
