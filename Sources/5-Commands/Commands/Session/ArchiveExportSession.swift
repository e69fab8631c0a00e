import ArgumentParser
import Valise
import ValiseTerminal

extension ArchiveExportCommand {
    /// Exports a store of Session, where the account is one.
    /// - Returns: false for an account.
    func exportedSession(_ archive: String) throws -> Bool {
        guard let store = account.directory.map({ FilePath($0) }), self.archive != nil,
            account.use.prefix == nil, try ExportSession.takes(store)
        else { return false }
        try refuseOptionsOfAccounts(archive)
        var operation = ExportSession(of: store, to: FilePath(archive), passphrase: passphrase.choice)
        operation.format = format
        operation.replacesFile = force
        operation.program = "valise \(ValiseCommand.configuration.version)"
        if let level { operation.level = level }
        if dryRun.isAsked {
            let plan = try output.plan(operation, Answers(passphrase))
            try output.print(plan, type: "sessionExportPlan") { plan.text.asDryRun(of: plan) }
            return true
        }
        let report = try output.run(operation, Answers(passphrase))
        try output.print(report, type: "sessionExported") { report.text }
        guard report.hasEntryErrors else { return true }
        if !output.json { SnapshotText.complain(report.entryFailures) }
        throw ExitStatusError(status: .entryErrors)
    }

    private func refuseOptionsOfAccounts(_ archive: String) throws {
        let isPlain = !reproducible && scope.scope == .complete && retention.keepLast == nil
        guard isPlain, archive != FileStreams.dash else {
            throw CommandError(
                .invalid,
                "a store of Session is exported as a whole into a new folder, a tar or a tar.zst, without these options",
                subject: archive)
        }
    }
}
