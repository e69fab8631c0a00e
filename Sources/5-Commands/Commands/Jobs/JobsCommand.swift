public import ArgumentParser
public import Valise

struct JobsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs", abstract: "Resume interrupted or failed operations.",
        discussion: """
            Long operations of other commands are jobs: sending and receiving files, exports and imports, encrypting \
            media, moves, and the cleanup after each account change. A job is saved before its operation begins, and \
            removed when it ends. If the operation is killed or interrupted, loses the network, or runs out of space, \
            the job is kept. 'valise jobs run' resumes it where it stopped, and so does repeating the command. Without \
            network, a job is retried for about two days; any progress restarts that time. A permanent failure is \
            reported at once and leaves no job.

            Jobs are kept in ~/.local/state/valise/jobs. The database, queue.db, is encrypted, with its key in a \
            file next to it. This protects copies and backups of the database file, but it does not stop anyone who \
            can read the folder. The queue contains no passphrases: a job reads its passphrase file or a key store, \
            or asks you. It does contain the links of files being received.

            If VALISE_NO_JOBS is set in the environment, commands create no jobs.
            """,
        subcommands: [
            JobsList.self, JobsShow.self, JobsRun.self, JobsResume.self, JobsRetry.self, JobsCancel.self,
            JobsWatch.self, JobsUnit.self,
        ])
}

/// A command about jobs, which needs no line about unfinished jobs before it.
protocol JobsReporting: ReportingCommand {}

extension JobID: ExpressibleByArgument {
    /// Parses a command-line argument.
    public init?(argument: String) { self.init(argument) }
}
