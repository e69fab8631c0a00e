import ArgumentParser
import Valise

struct BackupPasswordChange: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Replace the password that opens a repository.",
        discussion: """
            The new password is added and opened once more from where it is stored; only then the current one is removed. \
            Other passwords stay. If this is interrupted, one of both opens the repository, or both: the next run says \
            which, and completes the change. Recovery sheets with the previous password open nothing any more, and \
            scripts need the new one. On a server that keeps everything, this is refused.
            """)

    @OptionGroup var repository: RepositoryOptions
    @OptionGroup var new: NewPasswordOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let input = try repository.input()
        let report = try output.change(
            ChangeRepositoryPassword.self, "backupPasswordChange", dryRun, repository.canAsk
        ) { work in
            var operation = ChangeRepositoryPassword(of: input) {
                try await new.password(repository.canAsk, work)
            }
            operation.allowsWeak = new.allowWeak
            return operation
        }
        guard let report else { return }
        try output.print(report) {
            guard let removed = report.removedKey else {
                return "the new password is the current one; nothing was changed"
            }
            return
                "changed the password: added the key \(report.key.prefix(8)), removed the key \(removed.prefix(8))"
        }
    }
}
