import SystemPackage
package import ValiseFailures

/// An archive that was refused because it is damaged. An import ends at the first problem, a verification lists all of them.
package struct ArchiveRefusal: Failure {
    /// What was found first.
    package let failure: any Failure
    /// Whether damage was accepted: this is none that can be.
    package let acceptsDamage: Bool
    package let remedy: Remedy?

    /// - Returns: nil for other failures, and for one that says already what can be done.
    init?(_ failure: any Failure, of archive: FilePath, acceptsDamage: Bool) {
        guard failure.code == .damaged, failure.remedy == nil, failure.cause == nil else { return nil }
        self.failure = failure
        self.acceptsDamage = acceptsDamage
        remedy = .verifyArchive(archive)
    }

    package var code: FailureCode { failure.code }
    package var message: String { failure.message }
    package var subject: String? { failure.subject }
    package var cause: (any Error)? { nil }
}
