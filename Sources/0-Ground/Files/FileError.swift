package import SystemPackage
package import ValiseFailures

/// A file operation that failed.
package struct FileError: Failure {
    package let code: FailureCode
    package let message: String
    /// The file or folder.
    package let path: FilePath
    /// The system's own error, where there is one.
    package let errno: Errno?

    package var subject: String? { path.string }
    package var cause: (any Error)? { nil }

    package init(_ code: FailureCode, _ message: String, _ path: FilePath, errno: Errno? = nil) {
        self.code = code
        self.message = message
        self.path = path
        self.errno = errno
    }

    /// The one place where the system's error numbers get their meaning.
    ///
    /// - Parameters:
    ///   - verb: what was tried, in the infinitive: `read`, `create`.
    ///   - path: the file or folder.
    ///   - errno: what the system said.
    package init(cannot verb: String, _ path: FilePath, _ errno: Errno) {
        let (code, reason) = Self.meaning(of: errno)
        self.init(code, "cannot \(verb) this: \(reason)", path, errno: errno)
    }

    private static func meaning(of errno: Errno) -> (FailureCode, String) {
        switch errno {
        case .noSuchFileOrDirectory, .notDirectory: (.notFound, "it is not there")
        case .fileExists: (.alreadyExists, "something of this name is already there")
        case .noSpace, .diskQuotaExceeded:
            (.noSpace, "the disk or the quota is full; free some space and try again")
        case .permissionDenied, .notPermitted:
            (.denied, "the system denies access; look at its owner and mode")
        case .readOnlyFileSystem: (.denied, "the file system is read-only")
        case .resourceTemporarilyUnavailable, .resourceBusy: (.inUse, "it is in use by another process")
        case .tooManySymbolicLinkLevels: (.unsupported, "it is a symbolic link, which is not followed here")
        case .isDirectory: (.unsupported, "it is a folder")
        case .improperLink:
            (.unsupported, "it lies on another file system; all parts of an account must be on one")
        case .fileNameTooLong: (.unsupported, "the name is too long for this file system")
        case .fileTooLarge: (.unsupported, "the file is too large for this file system")
        case .ioError: (.failed, "the disk reports an input/output error; look at the system's log")
        default: (.failed, errno.description)
        }
    }
}
