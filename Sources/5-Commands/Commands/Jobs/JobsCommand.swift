public import ArgumentParser
public import Valise

struct JobsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs",
        abstract: "Resume long operations that were interrupted, failed for a time, or need you.",
        discussion: """
            Long operations of other commands are jobs: sending and receiving files, exports and imports, encrypting media, \
            moves, and the clean-up after every change of an account. A job is written before its operation begins, and goes \
            when it ends. Killed, interrupted, or without network or room, it stays, and 'valise jobs run' resumes \
            it where it was; the same command again does too. Without network it is tried again for about two days, and \
            from then on anew whenever it gets further. What failed for good was said, and leaves no job.

            Jobs are kept in ~/.local/state/valise/jobs: queue.db is encrypted, with the key in the file beside it. That \
            protects copies and backups of the database alone, not against whoever reads the folder. No passphrase is in \
            it: a job takes it from its passphrase file or a key store, or asks you. Links of files that are received are.

            VALISE_NO_JOBS in the environment keeps commands from writing jobs.
            """,
        subcommands: [
            JobsList.self, JobsShow.self, JobsRun.self, JobsResume.self, JobsRetry.self, JobsCancel.self,
            JobsWatch.self, JobsUnit.self,
        ])
}

/// A command about jobs: it tells of them anyway.
protocol JobsReporting: ReportingCommand {}

extension JobID: ExpressibleByArgument {
    /// Parses an argument of the command line.
    public init?(argument: String) { self.init(argument) }
}
