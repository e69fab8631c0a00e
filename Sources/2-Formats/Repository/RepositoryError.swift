package import ValiseFailures
package import ValiseStorage

/// A repository, or a file of it, cannot be used.
package struct RepositoryError: Failure {
    /// What went wrong.
    package enum Kind: Sendable, Hashable {
        /// No key file is opened by this password.
        case wrongPassword
        /// The content contradicts itself: a tag, a digest, a length or a structure is wrong.
        case damaged
        /// A version of the format that is newer than this program.
        case newer
        /// Well formed, but nothing that this program can work with.
        case unsupported
        /// Another program holds a lock.
        case locked
        /// A file or a blob that others refer to does not exist.
        case missing
        /// It exists already.
        case exists
        /// The caller asks for what cannot be.
        case invalid
        /// A library failed.
        case failed
    }

    package let kind: Kind
    package let message: String
    /// The file, as `data/0a/0a1b…`; nil where only the caller knows it.
    package let subject: String?
    package let cause: (any Error)?
    package let remedy: Remedy?

    package init(
        _ kind: Kind, _ message: String, _ subject: String? = nil, cause: (any Error)? = nil,
        remedy: Remedy? = nil
    ) {
        self.kind = kind
        self.message = message
        self.subject = subject
        self.cause = cause
        self.remedy = remedy
    }

    package init(_ kind: Kind, _ message: String, _ file: StoredName, cause: (any Error)? = nil) {
        self.init(kind, message, file.description, cause: cause)
    }

    package var code: FailureCode {
        switch kind {
        case .wrongPassword: .wrongPassphrase
        case .damaged: .damaged
        case .newer: .newer
        case .unsupported: .unsupported
        case .locked: .inUse
        case .missing: .notFound
        case .exists: .alreadyExists
        case .invalid: .invalid
        case .failed: .failed
        }
    }

    /// The same failure with the file that it is about, where it names none.
    package func naming(_ file: StoredName) -> RepositoryError {
        RepositoryError(
            kind, message, subject ?? file.description, cause: cause, remedy: remedy)
    }

    /// A function of libcrypto, libsodium or libzstd refused its work.
    static func library(_ activity: String) -> RepositoryError {
        RepositoryError(.failed, "cannot \(activity): a system library failed. Nothing was changed.")
    }
}
