import Synchronization
import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseConcurrency
import ValiseCryptography
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// Makes a proof: tables and files side by side, whoever is free takes the next.
final class ProofRun: Sendable {
    private let databases: [DigestedDatabase]
    private let contents: [DatabaseContent]
    private let media: ArchivedMedia
    private let known: [String: [UInt8]]
    private let fileSystem: FileSystem
    /// Every table of both databases, then the files.
    private let tables: [(database: Int, table: Int)]

    private let results: Mutex<Results>
    private let cancellation = Cancellation()
    private let done = Atomic<Int64>(0)
    private let total: Int64

    private struct Results {
        var rows: [[DatabaseContent.Rows?]]
        /// 32 bytes for each file.
        var media: [UInt8]
    }

    private static let activity = "computing the account's fingerprint"

    /// Opens both databases and lists the media.
    init(
        _ reader: AccountReader, _ location: AccountLocation, passphrase: borrowing SecretBytes,
        known: [String: [UInt8]]?, fileSystem: FileSystem, progress: ProgressHandler
    ) throws {
        self.fileSystem = fileSystem
        let listed = try ArchivedMedia(location, fileSystem: fileSystem)
        media = known.map { known in listed.filtered { known[$0] != nil } } ?? listed
        let known = known ?? [:]
        self.known = known
        var sources: [any ByteSource] = []
        for database in AccountDatabase.allCases {
            sources.append(
                try reader.source(of: database, passphrase: passphrase.duplicate(), progress: progress))
        }
        var databases = try Self.open(sources, passphrase)
        let toVerify = databases.reduce(0) { $0 + $1.verifiedSize }
        let total = databases.reduce(toVerify) { $0 + $1.size } + Self.size(of: media, besides: known)
        var verified: Int64 = 0
        for index in databases.indices {
            try databases[index].verify {
                try progress(OperationProgress(Self.activity, completed: verified + $0, total: total))
            }
            verified += databases[index].verifiedSize
        }
        done.store(verified, ordering: .relaxed)
        self.total = total
        contents = try databases.map { database in
            let connection = try database.connect()
            do {
                return try DatabaseContent(connection.connection)
            } catch let error as DatabaseError {
                throw database.unreadable("the schema of the \(database.database.rawValue) database", error)
            }
        }
        self.databases = databases
        tables = contents.indices.flatMap { [contents] database in
            contents[database].tables.indices.map { (database, $0) }
        }
        results = Mutex(
            Results(
                rows: contents.map { Array(repeating: nil, count: $0.tables.count) },
                media: [UInt8](repeating: 0, count: media.count * SHA256.byteCount)))
    }

    /// Side by side: the derivation of a key takes as long as hundreds of megabytes of reading.
    private static func open(
        _ sources: [any ByteSource], _ passphrase: borrowing SecretBytes
    ) throws -> [DigestedDatabase] {
        let secret = SharedSecret(try passphrase.duplicate())
        let opened = Mutex<[AccountDatabase: DigestedDatabase]>([:])
        try ParallelBatches.run(count: sources.count) {
        } work: { _, index in
            let database = AccountDatabase.allCases[index]
            let found = try DigestedDatabase(database, sources[index], passphrase: secret.bytes)
            opened.withLock { $0[database] = found }
        }
        let found = opened.withLock { $0 }
        return AccountDatabase.allCases.compactMap { found[$0] }
    }

    private static func size(of media: ArchivedMedia, besides known: [String: [UInt8]]) -> Int64 {
        media.indices.reduce(0) { known[media.name($1)] == nil ? $0 + media.size($1) : $0 }
    }

    // MARK: Work

    /// What one thread has of its own.
    private final class Worker {
        var connections: [Int: OpenConnection] = [:]
    }

    func run(_ progress: ProgressHandler) throws -> AccountProof {
        try ParallelBatches.run(count: tables.count + media.count) {
            Worker()
        } work: { worker, item in
            if item < tables.count {
                try digest(tables[item].database, tables[item].table, worker)
            } else {
                try digest(file: item - tables.count)
            }
        } report: { _ in
            do {
                // What is digested of a row may be a little more than it takes in the file.
                let done = min(done.load(ordering: .relaxed), total)
                try progress(OperationProgress(Self.activity, completed: done, total: total))
            } catch {
                cancellation.cancel()
                throw error
            }
        }
        let results = results.withLock { $0 }
        let digests = zip(contents, results.rows).map { content, rows in
            content.digest(rows.compactMap { $0 })
        }
        return AccountProof(chat: digests[0], agent: digests[1], media: digest(results.media))
    }

    private func digest(_ database: Int, _ number: Int, _ worker: Worker) throws {
        let digested = databases[database]
        let table = contents[database].tables[number]
        let open = try worker.connections[database] ?? digested.connect()
        worker.connections[database] = open
        let rows: DatabaseContent.Rows
        do {
            rows = try DatabaseContent.rows(of: table, open.connection) { bytes in
                done.add(bytes, ordering: .relaxed)
                try cancellation.check()
            }
        } catch let error as DatabaseError {
            throw digested.unreadable(
                "table \(table.name.quoted) of the \(digested.database.rawValue) database", error)
        }
        results.withLock { $0.rows[database][number] = rows }
    }

    private func digest(file number: Int) throws {
        let digest = try known[media.name(number)] ?? read(number)
        guard digest.count == SHA256.byteCount else {
            throw DeviceMigrationError(
                .failed, "the given digest of this file is not a SHA-256 digest", subject: media.name(number)
            )
        }
        let start = number * SHA256.byteCount
        results.withLock { $0.media.replaceSubrange(start..<start + SHA256.byteCount, with: digest) }
    }

    private func read(_ number: Int) throws -> [UInt8] {
        let source = try FileSource(media.path(number), fileSystem: fileSystem)
        guard source.size == media.size(number) else {
            throw DeviceMigrationError(
                .sourceChanged,
                "this file changed while the account was being read",
                subject: source.path.string, remedy: .closeProgram)
        }
        var told: Int64 = 0
        return try SHA256.hash(source) { count in
            done.add(count - told, ordering: .relaxed)
            told = count
            try cancellation.check()
        }
    }

    /// The digest of the list.
    private func digest(_ digests: [UInt8]) -> [UInt8] {
        let digest = RunningDigest()
        digest.encoder.append("valise media list 1")
        digest.encoder.append(Int64(media.count))
        for number in media.indices {
            digest.encoder.append(media.name(number))
            digest.encoder.append(media.size(number))
            let start = number * SHA256.byteCount
            digest.encoder.append(Array(digests[start..<start + SHA256.byteCount]))
        }
        return digest.finalize()
    }
}
