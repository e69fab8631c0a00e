import SystemPackage
import ValiseConcurrency
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValisePages
import ValiseSecrets

extension SessionDatabaseKey {
    /// What pages look like by the settings.
    var pageSettings: CipherSettings {
        var pages = settings.contains(Self.olderCipher) ? CipherSettings.format3 : .format4
        if settings.contains(Self.readableHeader) { pages.plaintextHeaderSize = 32 }
        return pages
    }

    /// What ``FirstPage`` finds; what else goes wrong with it is told by who opens the database.
    /// - Throws: `DatabaseError` with `damaged`.
    func checkFirstPage(of source: any ByteSource) throws(DatabaseError) {
        do {
            try FirstPage.check(source, self)
        } catch let error as DatabaseError {
            throw error
        } catch {
            return
        }
    }

    /// What ``FirstPage`` finds in a file, and in the log and the journal beside it. To be called before SQLCipher opens the file by
    /// its path.
    /// - Throws: `DatabaseError`: `damaged`; with a cause where the files cannot be looked at.
    func checkFirstPages(of path: FilePath, _ fileSystem: FileSystem) throws(DatabaseError) {
        func side(_ suffix: String) throws -> FileSource? {
            let side = path.appendingSuffix(suffix)
            return try fileSystem.exists(side) ? FileSource(side, fileSystem: fileSystem) : nil
        }
        do {
            try FirstPage.check(
                FileSource(path, fileSystem: fileSystem), log: side(DatabaseSnapshot.log),
                journal: side(DatabaseSnapshot.journal), self)
        } catch let error as DatabaseError {
            throw error
        } catch {
            throw DatabaseError(
                .failed, "cannot look at the first page: \(error)", file: path.string, cause: error)
        }
    }

    /// Verifies the HMAC of each page. SQLCipher's own check cannot be stopped, and has found all before it tells the first.
    ///
    /// - Parameters:
    ///   - source: of a database, whatever waits beside it.
    ///   - most: how many problems are told.
    ///   - workers: how many threads share the work.
    ///   - progress: gets the bytes that were checked; throw to stop.
    /// - Returns: what is wrong, a sentence each; empty for nothing.
    /// - Throws: ``SessionStoreError``: `damaged`, `failed`; errors of the source; whatever `progress` throws.
    func pageProblems(
        of source: any ByteSource, most: Int, workers: Int = ParallelBatches.workers,
        progress: (Int64) throws -> Void
    ) throws -> [String] {
        // All of it is in the log.
        guard source.size > 0 else { return [] }
        let found = try SessionStoreError.ofPages(in: source.path) {
            try pages(of: source).verify(workers: workers, progress: progress)
        }
        var problems = found.damaged.pages.prefix(most).map { "the HMAC of page \($0) does not hold" }
        if found.trailingBytes > 0, problems.count < most {
            problems.append("\(Count.bytes(Int64(found.trailingBytes))) follow the last whole page")
        }
        return problems
    }

    /// The pages of a database.
    /// - Throws: `PageCipherError`; errors of the source.
    func pages(of source: any ByteSource) throws -> EncryptedDatabaseFile {
        let key = try CipherKey(
            passphrase: remembering.bytes, salt: EncryptedDatabaseFile.salt(of: source),
            settings: pageSettings)
        return try EncryptedDatabaseFile(source, settings: pageSettings, key: key)
    }
}

extension SessionStoreError {
    /// Runs what looks at pages.
    /// - Throws: ``SessionStoreError`` in the place of `PageCipherError`; whatever else `body` throws.
    static func ofPages<Value>(in path: FilePath, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as PageCipherError {
            throw SessionStoreError(error.code == .damaged ? .damaged : .failed, error.message, path.string)
        }
    }
}
