import Valise

extension AccountStatus {
    /// Says which databases are damaged, for a command that has printed the status; nil where no damage was seen.
    var damage: ReportedFailure? {
        let names = databases.filter { $0.1.isDamaged }.map(\.0.rawValue)
        guard let name = names.first else { return nil }
        let account = Remedy.Account(directory: FilePath(directory), prefix: prefix)
        return ReportedFailure(
            failure: CommandError(
                .damaged, names.count > 1 ? "both databases are damaged" : "the \(name) database is damaged",
                subject: directory, remedy: chat.form == .missing ? nil : .salvageAccount(account),
                hints: RemedyCommand.hints(.checkAccount(account))))
    }
}
