import SystemPackage
import ValiseAccounts
import ValiseChatSchema
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMedia
import ValiseSecrets

/// One comparison: what is known up to now.
struct ComparisonRun {
    private let first: ComparedSide
    private let second: ComparedSide
    private var matches: [EntryMatch]
    private var databases: [DatabaseComparison] = []
    private var messages: MessageComparison?
    private let evidence = ProgressTally()
    private var users: (first: [ComparedUser], second: [ComparedUser]) = ([], [])
    private var mediaLookedInto = false

    init(_ first: ComparedSide, _ second: ComparedSide, _ matches: [EntryMatch]) {
        self.first = first
        self.second = second
        self.matches = matches
    }

    /// Compares the databases of one kind, as far as the passphrases allow.
    mutating func compare(
        _ database: AccountDatabase, _ passphrase: borrowing SecretBytes?,
        _ otherPassphrase: borrowing SecretBytes?, _ progress: ProgressHandler
    ) throws {
        guard let left = first.entry(of: database), let right = second.entry(of: database) else {
            let (isHere, isThere) = (first.entry(of: database) != nil, second.entry(of: database) != nil)
            let state: DatabaseComparison.State =
                isHere ? .onlyInFirst : isThere ? .onlyInSecond : .inNeither
            databases.append(DatabaseComparison(database, state))
            return
        }
        switch matches.first(where: { $0.role == .database && $0.name == database.archiveName })?.outcome {
        case .identical: databases.append(DatabaseComparison(database, .identical))
        case .unreadable(_, let message):
            databases.append(DatabaseComparison(database, .unreadable, reason: message))
        default:
            try progress(OperationProgress("opening the \(database.rawValue) databases"))
            guard let key = try first.key(for: left, passphrase),
                let otherKey = try second.key(for: right, otherPassphrase)
            else {
                let reason = "encrypted, and no passphrase given"
                databases.append(DatabaseComparison(database, .notCompared, reason: reason))
                return
            }
            let here = try first.connect(left, key)
            let there = try second.connect(right, otherKey, isSecond: true)
            try withoutActuallyEscaping(progress) { progress in
                // One for all: SQLite may be long on its way to one row, and keeps one handler for a connection.
                let monitor = ProgressMonitor(
                    "reading the schema of the \(database.rawValue) databases", progress)
                try here.supervised(by: monitor.look) {
                    try there.supervised(by: monitor.look) {
                        try join(database, here, there, monitor, progress)
                    }
                }
            }
        }
    }

    private mutating func join(
        _ database: AccountDatabase, _ here: borrowing Connection, _ there: borrowing Connection,
        _ monitor: ProgressMonitor, _ progress: ProgressHandler
    ) throws {
        let tally = MessageTally()
        let result = try DatabaseJoin(database: database, monitor: monitor).run(
            here, there, messages: tally, evidence: evidence)
        databases.append(result)
        guard database == .chat else { return }
        monitor.activity = "reading users and chats"
        users = (try ComparedUser.all(here), try ComparedUser.all(there))
        if let table = result.table(MessageColumn.table.rawValue), table.problem == nil,
            !users.first.isEmpty || !users.second.isEmpty
        {
            messages = tally.result(try MediaChats(here), try MediaChats(there))
        }
        try MediaContents(first, second).run(&matches, here, there, progress: progress)
        mediaLookedInto = true
    }

    // MARK: Result

    func report(seconds: Double) -> ComparisonReport {
        let bothAreFolders = !first.reader.isArchive && !second.reader.isArchive
        let entries = EntryRole.allCases.map { EntryComparison($0, matches) }
        let filesAreSame = entries.allSatisfy { $0.role == .database || $0.isSame }
        var report = ComparisonReport(
            first: .init(first), second: .init(second), identity: bothAreFolders ? .bytes : .checksum,
            entries: entries, databases: databases,
            messages: messages, sharedConnections: sharedConnections, evidence: evidence.evidence,
            later: later, relation: .unknown,
            mediaLookedInto: mediaLookedInto,
            isSame: filesAreSame && databases.allSatisfy(\.isSame), seconds: seconds)
        report.first.users = users.first
        report.second.users = users.second
        report.relation = relation
        return report
    }

    /// Connections have random ids: a single one of both sides proves that they are of one account.
    private var sharedConnections: Int? { database(.agent)?.table(Self.connections)?.shared }

    private static let connections = AgentTable.connections.rawValue

    /// Two accounts have no order.
    private var later: LaterSide { isRelated ? evidence.evidence.later : .unknown }

    private var relation: AccountRelation {
        let known = databases.filter { $0.state != .inNeither }
        let isSame = !known.isEmpty && known.allSatisfy(\.isSame)
        if !isSame, database(.chat)?.state == .identical {
            // The same bytes hold the same messages.
            return .sameMessages
        }
        return AccountRelation(messages, isSame: isSame, isRelated: isRelated, later: later)
    }

    /// Whether anything shows that both are of one account, or nothing that they are not.
    private var isRelated: Bool {
        if sharedConnections ?? 0 > 0 || messages?.shared ?? 0 > 0 { return true }
        if database(.agent)?.state == .identical { return true }
        if let table = database(.agent)?.table(Self.connections), table.firstRows > 0, table.secondRows > 0 {
            return false
        }
        guard !users.first.isEmpty, !users.second.isEmpty else { return true }
        return users.first.contains { user in users.second.contains { $0.isSame(as: user) } }
    }

    private func database(_ database: AccountDatabase) -> DatabaseComparison? {
        databases.first { $0.database == database }
    }
}

extension ComparedSide {
    /// What opens a database; nil where a passphrase is needed and not known.
    fileprivate func key(
        for entry: AccountEntry, _ passphrase: borrowing SecretBytes?
    ) throws -> SecretBytes? {
        try isEncrypted(entry) ? try passphrase.duplicate() : try SecretBytes.empty()
    }

    fileprivate func connect(
        _ entry: AccountEntry, _ passphrase: borrowing SecretBytes, isSecond: Bool = false
    ) throws -> Connection {
        do {
            let connection = try ChatDatabase.connect(reader.source(of: entry), passphrase: passphrase)
            try SchemaTrust.check(connection)
            return connection
        } catch let error as AccountMediaError {
            throw ComparisonError(
                error.code, error.message, subject: reader.path.appending(entry.name).string,
                isOfSecond: isSecond, remedy: error.remedy)
        }
    }
}
