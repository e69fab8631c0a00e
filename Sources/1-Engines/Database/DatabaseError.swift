public import ValiseFailures

/// What SQLCipher refused, with the result code and the statement but never with bound values.
public struct DatabaseError: Failure {
    public let code: FailureCode
    public let message: String
    /// The database file.
    package let file: String
    /// SQLite's extended result code; 0 where the failure is not SQLite's.
    package let resultCode: Int32
    public var subject: String? { file }
    /// Whether one row is not as its schema says; those behind it can be read.
    package let isOfRow: Bool
    /// What the source of the bytes threw, where that is the reason.
    public let cause: (any Error)?

    package init(
        _ code: FailureCode, _ message: String, file: String, resultCode: Int32 = 0, isOfRow: Bool = false,
        cause: (any Error)? = nil
    ) {
        self.isOfRow = isOfRow
        self.code = code
        self.message = message
        self.file = file
        self.resultCode = resultCode
        self.cause = cause
    }

    /// SQLite's `SQLITE_CANTOPEN`: under a lock of our own, for a file that was opened, that its header asks
    /// for a write-ahead log.
    package var asksForLog: Bool { resultCode & 0xff == 14 }

    /// SQLite's `SQLITE_NOTADB`: wrong passphrase, a passphrase for an unencrypted file, none for an encrypted one,
    /// or a first page that is damaged. SQLCipher cannot tell them apart.
    package var isNotADatabase: Bool { resultCode & 0xff == 26 }

    /// What kept the source of the bytes from giving them, such as a failing disk; nil where it found them damaged, and
    /// where nothing of this kind is the reason.
    package var sourceFailure: (any Error)? { cause.flatMap { Self.isDamage($0) ? nil : $0 } }

    static func isDamage(_ error: any Error) -> Bool { (error as? any Failure)?.code == .damaged }

    /// SQLite's `SQLITE_TOOBIG`: a row or a value is larger than the limit.
    package var isTooBig: Bool { resultCode & 0xff == 18 }
}
