package import SystemPackage
package import ValiseFailures

/// Why the passphrase of an account was not changed. The account is as it was.
package struct RekeyError: Failure {
    package let code: FailureCode
    package let message: String
    /// The file or folder.
    package let path: FilePath
    /// The same in the words of the official programs.
    package let official: DatabaseEncryptionError
    package let cause: (any Error)?
    package let remedy: Remedy?
    package var subject: String? { path.string }

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
