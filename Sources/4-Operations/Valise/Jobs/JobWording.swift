package import ValiseFailures
package import ValiseJobQueue

/// How a program words what is kept with jobs for whoever lists them.
package protocol JobWording: Sendable {
    /// Remedies in words.
    var remedies: RemedyWords { get }
    /// What an operation has to say when it is done.
    func text(_ report: any OperationReport) -> String
    /// Why a job waits for its user, and what the user can do.
    func reason(_ need: UserNeed, _ job: JobID) -> String
}

/// The words of the libraries, without a program's commands.
package struct DefaultJobWording: JobWording {
    package init() {}

    package var remedies: RemedyWords { { _ in nil } }
    package func text(_ report: any OperationReport) -> String { "done" }
    package func reason(_ need: UserNeed, _ job: JobID) -> String { need.description }
}
