package import ValiseFailures

/// A store of tcfs, or an object of it, cannot be used.
package struct ContentStoreError: Failure {
    /// What went wrong.
    package enum Kind: Sendable, Hashable {
        /// The content is encrypted, and no key was given.
        case noKey
        /// The key does not open what it should. Or that is damaged: a tag does not tell the two apart.
        case wrongKey
        /// The content contradicts itself: a tag, a digest, a length or a structure is wrong.
        case damaged
        /// A version of the format that is newer than this program.
        case newer
        /// Well formed, but nothing that this program can work with.
        case unsupported
        /// An object that others refer to does not exist.
        case missing
        /// It exists already.
        case exists
        /// Two devices changed the same file.
        case conflict
        /// The caller asks for what cannot be.
        case invalid
        /// A library failed.
        case failed
    }

    package let kind: Kind
    package let message: String
    /// The object or the path; nil where only the caller knows it.
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

    package var code: FailureCode {
        switch kind {
        case .noKey, .wrongKey: .wrongPassphrase
        case .damaged: .damaged
        case .newer: .newer
        case .unsupported: .unsupported
        case .missing: .notFound
        case .exists: .alreadyExists
        case .invalid: .invalid
        case .conflict, .failed: .failed
        }
    }

    /// The same failure with the object that it is about, where it names none.
    package func naming(_ object: String) -> ContentStoreError {
        ContentStoreError(kind, message, subject ?? object, cause: cause, remedy: remedy)
    }
}
