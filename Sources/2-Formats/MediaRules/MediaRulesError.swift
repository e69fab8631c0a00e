package import ValiseFailures

/// Why something about a medium could not be told.
package struct MediaRulesError: Failure, Equatable {
    package let code: FailureCode
    package let message: String
    /// The file, where it is known.
    package private(set) var subject: String?
    package var cause: (any Error)? { nil }
    package let remedy: Remedy?

    package init(
        _ code: FailureCode, _ message: String, subject: String? = nil, remedy: Remedy? = nil
    ) {
        self.code = code
        self.message = message
        self.subject = subject
        self.remedy = remedy
    }

    /// The same error about this file.
    package func naming(_ subject: String) -> MediaRulesError {
        var named = self
        named.subject = subject
        return named
    }
}
