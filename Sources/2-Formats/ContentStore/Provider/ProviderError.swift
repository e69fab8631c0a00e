public import ValiseFailures
import ValiseStorage

/// Why a call of ``StoreProvider`` failed, in the words of the interface that tcfs offers to apps (RFC 0003).
public struct ProviderError: Failure {
    /// The kinds of the present interface.
    public enum Kind: Sendable, Hashable {
        /// Something of the store is damaged, or cannot be worked with.
        case storage
        /// A key is missing, or does not open what it should.
        case decryption
        /// The server is not reached; see ``ProviderError/isTransient``.
        case network
        /// There is no such item.
        case notFound
        /// The caller asks for what cannot be.
        case invalidArgument
        /// The store has a version that was not seen here.
        case conflict
        /// The content that was asked for is not the current one any more.
        case versionMismatch(requested: String, current: String)
        /// User name, keys or rights are not accepted.
        case authentication
    }

    /// The kinds that the text of the RFC has, from before the present interface.
    public enum EarlierKind: String, Sendable, Hashable {
        /// Everything that the others are not.
        case storageError = "StorageError"
        /// A key is missing or wrong.
        case decryptionError = "DecryptionError"
        /// The server is not reached.
        case networkError = "NetworkError"
        /// There is no such item.
        case notFound = "NotFound"
        /// Keys or rights are not accepted.
        case permissionDenied = "PermissionDenied"
    }

    /// What went wrong.
    public let kind: Kind
    public let code: FailureCode
    public let message: String
    public let subject: String?
    public let cause: (any Error)?
    public let remedy: Remedy?

    init(_ kind: Kind, _ code: FailureCode, _ message: String, _ subject: String? = nil) {
        self.kind = kind
        self.code = code
        self.message = message
        self.subject = subject
        cause = nil
        remedy = nil
    }

    private init(_ kind: Kind, _ failure: some Failure) {
        self.kind = kind
        code = failure.code
        message = failure.message
        subject = failure.subject
        cause = failure.cause
        remedy = failure.remedy
    }

    /// The same in the words of the earlier interface.
    public var earlierKind: EarlierKind {
        switch kind {
        case .storage, .invalidArgument, .conflict, .versionMismatch: .storageError
        case .decryption: .decryptionError
        case .network: .networkError
        case .notFound: .notFound
        case .authentication: .permissionDenied
        }
    }

    /// Whether the same call may succeed a moment later.
    public var isTransient: Bool { kind == .network }
}

extension ProviderError {
    /// Does something and says why it failed. An interruption is none of these failures: it passes.
    package static func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ProviderError {
            throw error
        } catch let error as any Failure where error.code != .interrupted {
            throw ProviderError(kind(of: error), error)
        }
    }

    private static func kind(of error: any Failure) -> Kind {
        switch error {
        case let error as StorageError: kind(of: error)
        case let error as ContentStoreError: kind(of: error)
        default:
            switch error.code {
            case .notFound: .notFound
            case .invalid: .invalidArgument
            case .denied: .authentication
            case .wrongPassphrase: .decryption
            default: .storage
            }
        }
    }

    private static func kind(of error: StorageError) -> Kind {
        switch error.kind {
        case .unreachable, .busy, .server, .answer: .network
        case .credentials, .clock: .authentication
        case .changed: .conflict
        case .general, .appendOnly, .noStore:
            switch error.code {
            case .notFound: .notFound
            case .denied: .authentication
            case .invalid: .invalidArgument
            default: .storage
            }
        }
    }

    private static func kind(of error: ContentStoreError) -> Kind {
        switch error.kind {
        case .noKey, .wrongKey: .decryption
        case .missing: .notFound
        case .conflict, .exists: .conflict
        case .invalid: .invalidArgument
        case .damaged, .newer, .unsupported, .failed: .storage
        }
    }
}
