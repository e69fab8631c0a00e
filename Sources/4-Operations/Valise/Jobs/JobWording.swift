public import ValiseFailures
public import ValiseJobQueue

/// How a program words what is kept with jobs for whoever lists them.
public protocol JobWording: Sendable {
    /// Remedies in words.
    var remedies: RemedyWords { get }
    /// What an operation has to say when it is done.
    func text(_ report: any OperationReport) -> String
    /// Why a job waits for its user, and what the user can do.
    func reason(_ need: UserNeed, _ job: JobID) -> String
}

/// The words of the libraries, without a program's commands.
public struct DefaultJobWording: JobWording {
    public init() {}

    public var remedies: RemedyWords { { _ in nil } }
    public func text(_ report: any OperationReport) -> String { "done" }
    public func reason(_ need: UserNeed, _ job: JobID) -> String { need.description }
}
