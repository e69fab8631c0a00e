import ArgumentParser
import Valise
import ValiseTerminal

extension ArchiveVerifyCommand {
    /// Compares an export of a store of Session with its manifest, where the archive is one.
    /// - Returns: false for an archive of an account.
    func verifiedSession() throws -> Bool {
        let path = FilePath(archive)
        guard archive != FileStreams.dash, try VerifySessionExport.takes(path) else { return false }
        guard report == nil else {
            throw CommandError(
                .invalid, "no report file is written of an export of Session", subject: archive)
        }
        var operation = VerifySessionExport(path)
        operation.limits = ZipLimits(ratio: ratio.maxRatio)
        let result = try output.run(operation, Answers(passphrase))
        try output.print(result, type: "sessionExportVerification") {
            output.quiet && !result.hasEntryErrors ? "" : result.text
        }
        guard result.hasEntryErrors else { return true }
        if !output.json { SnapshotText.complain(result.entryFailures) }
        throw ExitStatusError(status: .entryErrors)
    }
}
