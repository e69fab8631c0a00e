import ValiseDatabase
import ValiseFailures

extension DatabaseError {
    /// SQLite's `SQLITE_ERROR`, which says nothing.
    var isUnexplained: Bool { resultCode & 0xff == 1 }
    /// SQLite's `SQLITE_READONLY`: nothing is written here, but a header or a log can say that something has to be.
    var wantsWriting: Bool { resultCode & 0xff == 8 }
}

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
            // A passphrase that nobody can have typed.
            case .invalid: .invalid
            // A page whose tag is wrong is that to SQLCipher: statements have been checked against the schema before.
            case .failed where error.isUnexplained: .damaged
            case _ where error.wantsWriting: .damaged
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
