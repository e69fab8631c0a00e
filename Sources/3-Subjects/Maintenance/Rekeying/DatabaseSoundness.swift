import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValisePages

extension EncryptedDatabaseFile {
    /// Checks the HMAC of every page, and shows how far it is.
    func verification(
        engine: PageEngineKind? = nil, _ activity: String, _ progress: ProgressHandler
    ) throws -> PageVerification {
        let size = Int64(pageCount) * Int64(settings.pageSize)
        return try verify(engine: engine) {
            try progress(OperationProgress(activity, completed: $0, total: size))
        }
    }

    /// Refuses a file of which a page is damaged.
    /// - Throws: `PageCipherError` with the pages; whatever `progress` throws.
    func refuseDamage(
        engine: PageEngineKind? = nil, _ activity: String, _ progress: ProgressHandler
    ) throws {
        let verification = try verification(engine: engine, activity, progress)
        guard verification.isSound else {
            throw damage(verification, remedy: .salvageAccount(Remedy.Account(ofDatabase: path)))
        }
    }
}

extension Connection {
    /// Refuses a database whose structure does not hold; where pages have no HMACs that is all there is to see.
    /// - Throws: ``RekeyError`` with `damaged`; `DatabaseError`; whatever `progress` throws.
    borrowing func refuseDamage(
        by kind: StructureCheckKind, _ path: FilePath, _ activity: String, _ progress: ProgressHandler
    ) throws {
        let problems = try supervised {
            try progress(OperationProgress(activity))
        } _: {
            try structureProblems(kind, limit: 1)
        }
        guard problems.isEmpty else {
            throw RekeyError.writing(
                .damaged,
                "the database is damaged. Nothing was changed.", path,
                remedy: .salvageAccount(Remedy.Account(ofDatabase: path)))
        }
    }
}
