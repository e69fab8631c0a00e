public import ValiseFailures

/// Why something about a medium could not be told.
public struct MediaRulesError: Failure, Equatable {
    public let code: FailureCode
    public let message: String
    /// The file, where it is known.
    public private(set) var subject: String?
    public var cause: (any Error)? { nil }

    public init(_ code: FailureCode, _ message: String, subject: String? = nil) {
        self.code = code
        self.message = message
        self.subject = subject
    }

    /// The same error about this file.
    public func naming(_ subject: String) -> MediaRulesError {
        var named = self
        named.subject = subject
        return named
    }
}
