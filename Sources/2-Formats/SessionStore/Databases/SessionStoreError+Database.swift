import ValiseDatabase
import ValiseFailures

extension SessionStoreError {
    /// What SQLite or a row says.
    init(database error: DatabaseError) {
        let kind: Kind =
            switch error.code {
            case .damaged: .damaged
            case .unsupported: .unsupported
            case .wrongPassphrase: .wrongKey
            case .notFound: .missing
            case .inUse: .inUse
            default: .failed
            }
        self.init(kind, error.message, error.file, cause: error.cause)
    }

    /// Runs what uses a database, and tells its failures as those of the store.
    static func mapping<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError {
            if let failure = error.sourceFailure { throw failure }
            throw SessionStoreError(database: error)
        }
    }
}
