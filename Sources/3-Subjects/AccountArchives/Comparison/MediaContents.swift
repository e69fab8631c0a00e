import Synchronization
import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseCryptoFiles
import ValiseCryptography
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMedia

/// Looks into files of media whose bytes differ: the same content under another key, or on one side without
/// encryption, is no other content.
struct MediaContents {
    private let first: ComparedSide
    private let second: ComparedSide

    /// So many files have their keys in memory at once.
    private static let batch = 256

    init(_ first: ComparedSide, _ second: ComparedSide) {
        self.first = first
        self.second = second
    }

    /// Puts right the outcomes of files with the same content.
    ///
    /// - Parameters:
    ///   - left: the chat database of the first side.
    ///   - right: likewise.
    /// - Throws: ``DatabaseError``; `SecretsError`; whatever `progress` throws.
    func run(
        _ matches: inout [EntryMatch], _ left: borrowing Connection, _ right: borrowing Connection,
        progress: ProgressHandler
    ) throws {
        let open = matches.indices.filter { Self.mayBeSame(matches[$0]) }
        guard !open.isEmpty else { return }
        let names = Set(open.map { NameDigest(matches[$0].fileName) })
        let (here, there) = (
            try MediaKeys(left, first.store, names, progress),
            try MediaKeys(right, second.store, names, progress)
        )
        for start in stride(from: 0, to: open.count, by: Self.batch) {
            let batch = Array(open[start..<min(start + Self.batch, open.count)])
            var jobs: [ContentJob] = []
            for index in batch {
                let name = NameDigest(matches[index].fileName)
                jobs.append(
                    ContentJob(
                        match: matches[index], keys: try here.keys(of: name, left),
                        otherKeys: try there.keys(of: name, right)))
            }
            let outcomes = try compare(jobs, done: start, of: open.count, progress)
            for (index, outcome) in zip(batch, outcomes) {
                if let outcome { matches[index].outcome = .sameContent(outcome) }
            }
        }
    }

    /// An encrypted file is 16 bytes longer than its content.
    private static func mayBeSame(_ match: EntryMatch) -> Bool {
        guard match.role == .media, let left = match.first?.size, let right = match.second?.size else {
            return false
        }
        switch match.outcome {
        case .otherContent: return true
        case .otherSize: return abs(left - right) == CryptoFileCipher.overhead
        default: return false
        }
    }

    private func compare(
        _ jobs: [ContentJob], done: Int, of total: Int, _ progress: ProgressHandler
    ) throws -> [SameContent?] {
        let cancellation = Cancellation()
        let results = Mutex([SameContent?](repeating: nil, count: jobs.count))
        let (here, there) = (first.reader, second.reader)
        try ParallelBatches.run(count: jobs.count) {
            try CryptoFileCipher(workers: 1)
        } work: { cipher, number in
            let outcome = try jobs[number].compare(here, there, cipher, cancellation)
            results.withLock { $0[number] = outcome }
        } report: { count in
            do {
                try progress(
                    OperationProgress(
                        "comparing decrypted media", completed: Int64(done + count), total: Int64(total),
                        unit: .items))
            } catch {
                cancellation.cancel()
                throw error
            }
        }
        return results.withLock { $0 }
    }
}

extension EntryMatch {
    /// The name in the folder of media.
    fileprivate var fileName: String {
        name.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(name[name.utf8.index(after: $0)...]) } ?? name
    }
}

/// Which rows of one side name the files that are looked for.
private struct MediaKeys {
    private let table: MediaTable?
    private var rows: [NameDigest: Int64] = [:]

    init(
        _ connection: borrowing Connection, _ store: any MediaStore, _ names: Set<NameDigest>,
        _ progress: ProgressHandler
    ) throws {
        let table = try MediaTable(connection)
        self.table = table
        var rows: [NameDigest: Int64] = [:]
        var count = 0
        // The files of damaged rows are compared as they are.
        try table?.forEach(connection, damaged: { _ in }) { reference in
            count += 1
            if count % 1024 == 0 { try progress(OperationProgress("reading the keys of media")) }
            guard reference.keys == .complete, let name = try store.find(reference.filePath).name else {
                return
            }
            let digest = NameDigest(name)
            if names.contains(digest), rows[digest] == nil { rows[digest] = reference.fileID }
        }
        self.rows = rows
    }

    /// Nil for an unencrypted file, and where no program could use the keys.
    func keys(of name: NameDigest, _ connection: borrowing Connection) throws -> CryptoFileArgs? {
        guard let table, let row = rows[name] else { return nil }
        do {
            return try table.keys(of: row, connection)
        } catch let error as CryptoFileError where error.code == .invalid {
            return nil
        }
    }
}

/// A file of both sides, and the keys that each has for it.
private struct ContentJob: Sendable {
    let match: EntryMatch
    let keys: CryptoFileArgs?
    let otherKeys: CryptoFileArgs?

    /// - Returns: nil where the contents differ, or cannot be told.
    func compare(
        _ first: AccountReader, _ second: AccountReader, _ cipher: CryptoFileCipher,
        _ cancellation: Cancellation
    ) throws -> SameContent? {
        let how: SameContent
        switch (keys, otherKeys) {
        case (nil, nil): return nil
        // The same key makes the same bytes of the same content.
        case (let mine?, let others?):
            if mine.equals(others) { return nil }
            how = .otherKey
        case (_?, nil): how = .encryptedInFirst
        case (nil, _?): how = .encryptedInSecond
        }
        guard let left = match.first, let right = match.second, sizesFit(left.size, right.size) else {
            return nil
        }
        do {
            let mine = try Self.digest(first.source(of: left), keys, cipher, cancellation)
            let others = try Self.digest(second.source(of: right), otherKeys, cipher, cancellation)
            return mine == others ? how : nil
        } catch let error as any Failure where error.code != .interrupted {
            // Damaged, or under a key that is not its own: what differs was told already.
            return nil
        }
    }

    private func sizesFit(_ left: Int64, _ right: Int64) -> Bool {
        let content = left - (keys == nil ? 0 : CryptoFileCipher.overhead)
        return content >= 0 && content == right - (otherKeys == nil ? 0 : CryptoFileCipher.overhead)
    }

    private static func digest(
        _ source: any ByteSource, _ keys: CryptoFileArgs?, _ cipher: CryptoFileCipher,
        _ cancellation: Cancellation
    ) throws -> [UInt8] {
        let digest = SharedDigest()
        if let keys {
            try unsafe cipher.decrypt(source, keys, progress: { _ in try cancellation.check() }) { piece, _ in
                unsafe digest.add(piece)
            }
        } else {
            try unsafe OrderedChunks.run(size: source.size, workers: 1) { chunk, offset in
                try unsafe source.fill(chunk, at: offset)
            } ordered: { chunk in
                unsafe digest.add(UnsafeRawBufferPointer(chunk))
            } report: { _ in
                try cancellation.check()
            }
        }
        return digest.finish()
    }
}
