package import SystemPackage
import ValiseConcurrency
import ValiseEncoding
import ValiseSessionStore

/// Checks a store of Session for damage, and changes nothing: the HMAC of each page, tables and indexes, messages, attachments,
/// configurations, and the frames of a backup.
package struct CheckSession: Operation {
    /// As of ``SummarizeSession``.
    package var path: FilePath
    /// Whether tables and indexes are not walked, and attachments not decrypted.
    package var isQuick = false
    package var passphrase: PassphraseSource

    package init(_ path: FilePath, passphrase: PassphraseSource = PassphraseSource()) {
        self.path = path
        self.passphrase = passphrase
    }

    package func run(in context: OperationContext) async throws -> SessionCheckReport {
        let place = try await context.blocking { [path] _ in try SessionPlace.require(path) }
        let access = try await SessionAccess(place, passphrase, to: "check it", in: context)
        var report = SessionCheckReport(access, isQuick: isQuick)
        if let backup = access.backup {
            report.add(damage: try await context.blocking { try frames(of: backup, $0) })
        }
        let size = access.snapshot.databaseSize
        let pages = try await context.blocking { progress in
            try access.snapshot.verifyPages { read in
                try progress(OperationProgress("checking pages", completed: min(read, size), total: size))
            }
        }
        report.add(damage: pages)
        if !isQuick, pages.isEmpty {
            let activity = OperationProgress("checking the tables")
            report.add(
                damage: try await context.blocking { progress in
                    try access.snapshot.verifyTables { try progress(activity) }
                })
        }
        let checked = report
        return try await context.blocking { progress in
            var report = checked
            try report.readContents(access, progress)
            return report
        }
    }

    /// What is wrong with a backup's frames; empty for nothing.
    private func frames(of backup: SessionBackup, _ progress: ProgressHandler) throws -> [String] {
        do {
            _ = try backup.verify { read in
                try progress(
                    OperationProgress("verifying frames", completed: read, total: backup.source.size))
            }
            return []
        } catch let error as SessionStoreError where error.kind == .damaged || error.kind == .wrongKey {
            return [error.message]
        }
    }
}
