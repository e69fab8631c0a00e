import SystemPackage
package import ValiseFailures

/// A store of Session, or a part of it, cannot be read.
package struct SessionStoreError: Failure {
    /// What went wrong.
    package enum Kind: Sendable, Hashable {
        /// It is encrypted, and no key or password was given.
        case noKey
        /// The key or password does not open what it should. Or that is damaged: a tag does not tell the two apart.
        case wrongKey
        /// The content contradicts itself: a tag, a digest, a length or a structure is wrong.
        case damaged
        /// A version of the format that is newer than this program.
        case newer
        /// Well formed, but nothing that this program can work with.
        case unsupported
        /// A part that others refer to does not exist.
        case missing
        /// A program uses it at this moment.
        case inUse
        /// The caller asks for what cannot be.
        case invalid
        /// A library failed.
        case failed
    }

    package let kind: Kind
    package let message: String
    /// The file or the entry; nil where only the caller knows it.
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
        case .inUse: .inUse
        case .invalid: .invalid
        case .failed: .failed
        }
    }

    /// The same failure with what it is about, where it names nothing.
    package func naming(_ subject: String) -> SessionStoreError {
        SessionStoreError(kind, message, self.subject ?? subject, cause: cause, remedy: remedy)
    }

    /// The failure of a private copy, which has a name that nobody knows, told of the file that was copied.
    func named(_ path: FilePath, insteadOf copy: FilePath) -> SessionStoreError {
        guard subject == copy.string else { return self }
        return SessionStoreError(kind, message, path.string, cause: cause, remedy: remedy)
    }
}
