public import Failures

/// What SQLCipher refused, with the result code and the statement but never with bound values.
public struct DatabaseError: Failure {
    public let code: FailureCode
    public let message: String
    /// The database file.
    public let file: String
    /// SQLite's extended result code; 0 where the failure is not SQLite's.
    public let resultCode: Int32
    public var subject: String? { file }
    public var cause: (any Error)? { nil }

    public init(_ code: FailureCode, _ message: String, file: String, resultCode: Int32 = 0) {
        self.code = code
        self.message = message
        self.file = file
        self.resultCode = resultCode
    }

    /// SQLite's `SQLITE_CANTOPEN`: under a lock of our own, for a file that was opened, that its header asks
    /// for a write-ahead log.
    public var asksForLog: Bool { resultCode & 0xff == 14 }

    /// SQLite's `SQLITE_NOTADB`: wrong passphrase, a passphrase for a plain file, none for an encrypted one,
    /// or a first page that is damaged. SQLCipher cannot tell them apart.
    public var isNotADatabase: Bool { resultCode & 0xff == 26 }
}
