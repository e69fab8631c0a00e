package import SystemPackage
package import ValiseFailures

/// A CryptoFile that cannot be read or written, or keys that are none.
package struct CryptoFileError: Failure {
    /// The official name of a failure (SimpleX storage, §5.2).
    package enum Kind: String, Sendable {
        /// Shorter than the 16 bytes of the tag.
        case invalidFileSize = "FTCEInvalidFileSize"
        /// The tag does not fit: another key, or changed bytes.
        case invalidAuthTag = "FTCEInvalidAuthTag"
    }

    package let code: FailureCode
    package let message: String
    /// The file, or where the keys were read from.
    package let path: FilePath?
    /// Nil for keys that are none.
    package let kind: Kind?
    package let cause: (any Error)?
    package let remedy: Remedy?

    package var subject: String? { path?.string }

    init(
        _ code: FailureCode, _ message: String, _ path: FilePath? = nil, kind: Kind? = nil,
        cause: (any Error)? = nil, remedy: Remedy? = nil
    ) {
        self.code = code
        self.message = message
        self.path = path
        self.kind = kind
        self.cause = cause
        self.remedy = remedy
    }

    /// The same failure, and what it means where it happened.
    func adding(_ sentence: String) -> CryptoFileError {
        CryptoFileError(code, "\(message). \(sentence)", path, kind: kind, cause: cause, remedy: remedy)
    }

    static func invalidFileSize(_ path: FilePath) -> CryptoFileError {
        CryptoFileError(
            .damaged, "not an encrypted file: shorter than its 16-byte tag", path,
            kind: .invalidFileSize)
    }

    static func invalidAuthTag(_ path: FilePath) -> CryptoFileError {
        CryptoFileError(
            .damaged, "wrong key, or the file was changed", path, kind: .invalidAuthTag)
    }

    static func cannotBeReadTwice(_ path: FilePath) -> CryptoFileError {
        CryptoFileError(
            .invalid,
            "the input cannot be read twice, so its content cannot be verified before it is output", path,
            remedy: .acceptUnverifiedContent)
    }
}
