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
    package let remedy: Remedy?

    package var subject: String? { path.string }
    package var cause: (any Error)? { nil }

    package init(
        _ code: FailureCode, _ message: String, _ path: FilePath, errno: Errno? = nil, remedy: Remedy? = nil
    ) {
        self.code = code
        self.message = message
        self.path = path
        self.errno = errno
        self.remedy = remedy
    }

    /// The one place where the system's error numbers get their meaning.
    ///
    /// - Parameters:
    ///   - verb: what was tried, in the infinitive: `read`, `create`.
    ///   - path: the file or folder.
    ///   - errno: what the system said.
    package init(cannot verb: String, _ path: FilePath, _ errno: Errno) {
        let (code, reason) = Self.meaning(of: errno)
        self.init(
            code, "cannot \(verb): \(reason)", path, errno: errno,
            remedy: errno == .ioError ? .checkSystemLog : nil)
    }

    /// The folder that a file is to be written to is missing: the user may have it created, unless a file has its name or that
    /// of a folder above it.
    package static func noFolder(_ folder: FilePath, _ message: String = "no such folder") -> FileError {
        let fileSystem = FileSystem()
        if let nearest = try? fileSystem.nearestExisting(folder),
            (try? fileSystem.isDirectory(nearest)) == false
        {
            return FileError(.unsupported, "not a folder", nearest)
        }
        return FileError(.notFound, message, folder, remedy: .createFolder(folder))
    }

    /// What the system's error number means, in the words of all failures.
    package static func reason(_ errno: Errno) -> String { meaning(of: errno).1 }

    /// The system's failure with a temporary file, told of the file that the user named.
    package func named(_ path: FilePath, insteadOf temporary: FilePath) -> FileError {
        guard self.path == temporary, errno != nil, code != .alreadyExists else { return self }
        return FileError(code, message, path, errno: errno, remedy: remedy)
    }

    private static func meaning(of errno: Errno) -> (FailureCode, String) {
        switch errno {
        case .noSuchFileOrDirectory, .notDirectory: (.notFound, "no such file or folder")
        case .fileExists: (.alreadyExists, "already exists")
        case .noSpace, .diskQuotaExceeded:
            (.noSpace, "no space left on the disk, or quota exceeded")
        case .permissionDenied, .notPermitted:
            (.denied, "permission denied")
        case .readOnlyFileSystem: (.denied, "read-only file system")
        case .resourceTemporarilyUnavailable, .resourceBusy: (.inUse, "in use by another process")
        case .tooManySymbolicLinkLevels: (.unsupported, "symbolic links are not followed here")
        case .isDirectory: (.unsupported, "is a folder")
        case .improperLink:
            (.unsupported, "on another file system, but all parts of an account must be on one")
        case .fileNameTooLong: (.unsupported, "name too long for this file system")
        case .fileTooLarge: (.unsupported, "file too large for this file system")
        case .ioError: (.failed, "input/output error")
        // The system's texts begin in upper case, as sentences do.
        default: (.failed, errno.description.prefix(1).lowercased() + errno.description.dropFirst())
        }
    }
}
