public import SystemPackage
public import ValiseFailures

/// Why the passphrase of an account was not changed. The account is as it was.
public struct RekeyError: Failure {
    public let code: FailureCode
    public let message: String
    /// The file or folder.
    public let path: FilePath
    /// The same in the words of the official programs.
    public let official: DatabaseEncryptionError
    public let cause: (any Error)?
    public let remedy: Remedy?
    public var subject: String? { path.string }

    init(
        _ code: FailureCode, _ message: String, _ path: FilePath, _ official: DatabaseEncryptionError,
        cause: (any Error)? = nil, remedy: Remedy? = nil
    ) {
        self.code = code
        self.message = message
        self.path = path
        self.official = official
        self.cause = cause
        self.remedy = remedy
    }

    /// A failure while the new databases are written.
    static func writing(
        _ code: FailureCode, _ message: String, _ path: FilePath, remedy: Remedy? = nil
    ) -> RekeyError {
        RekeyError(code, message, path, .errorExport(sqliteError: .error(dbError: message)), remedy: remedy)
    }
}
