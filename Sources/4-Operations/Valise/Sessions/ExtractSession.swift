package import SystemPackage
import ValiseChatLog
package import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSessionStore

/// Takes files out of a store of Session: those of a backup as they are, or attachments decrypted and named, and what libsession
/// keeps of contacts, groups and settings, as it is and decoded.
package struct ExtractSession: Operation {
    /// As of ``SummarizeSession``.
    package var path: FilePath
    /// The folder for the files. It is made where it is missing.
    package var target: FilePath
    /// Whether a backup is unpacked as it is, into a folder of Session iOS; nil for a backup only.
    package var unpacks: Bool?
    /// Also attachments of messages that Session would have removed by now.
    package var includesExpired = false
    package var passphrase: PassphraseSource

    package init(_ path: FilePath, to target: FilePath, passphrase: PassphraseSource = PassphraseSource()) {
        self.path = path
        self.target = target
        self.passphrase = passphrase
    }

    package func plan(in context: OperationContext) async throws -> PlannedFiles {
        let access = try await access(context)
        return try await context.blocking { [target] progress in
            var plan = PlannedFiles()
            if let backup = unpackedBackup(access) {
                let files = try backup.list { _ in try progress(OperationProgress("listing files")) }
                try plan.write(files.map { target.pushing(FilePath($0.path)) })
                plan.bytesToProcess = files.reduce(0) { $0 + $1.size }
            } else {
                let contents = try SessionContents(access, target, includesExpired: includesExpired)
                try plan.write(contents.places)
                plan.bytesToProcess = try contents.size(progress)
            }
            try plan.lookAtSpace(for: target)
            return plan
        }
    }

    private func access(_ context: OperationContext) async throws -> SessionAccess {
        let place = try await context.blocking { [path] _ in try SessionPlace.require(path) }
        guard place.kind == .backup || unpacks != true else {
            throw OperationError(.invalid, "only a backup can be unpacked", subject: path.string)
        }
        return try await SessionAccess(place, passphrase, to: "extract its files", in: context)
    }

    private func unpackedBackup(_ access: SessionAccess) -> SessionBackup? {
        unpacks ?? true ? access.backup : nil
    }

    /// - Throws: as ``SessionAccess``; ``OperationError`` with `invalid` where a folder is to be unpacked; `FileError`.
    package func run(in context: OperationContext) async throws -> ExtractedSession {
        let access = try await access(context)
        return try await context.blocking { [target] progress in
            if let backup = unpackedBackup(access) {
                let size = backup.source.size
                let extraction = try backup.extract(into: target) {
                    try progress(OperationProgress("extracting", completed: $0, total: size))
                }
                return ExtractedSession(target, unpacked: extraction)
            }
            let contents = try SessionContents(access, target, includesExpired: includesExpired)
            let report = try contents.write(progress)
            context.tell(report.entryFailures)
            return report
        }
    }
}

/// What was extracted of a store of Session.
package struct ExtractedSession: OperationReport {
    /// An attachment that is not there.
    package struct Problem: Sendable, Encodable, Equatable {
        package let name: String
        package let message: String
    }

    package let path: String
    /// The number of files written.
    package internal(set) var files = 0
    /// Of these, in bytes.
    package internal(set) var size: Int64 = 0
    /// Whether a backup was unpacked as it is.
    package internal(set) var isUnpacked = false
    /// Attachments by what became of them; nil for a backup that was unpacked.
    package internal(set) var attachments: [String: Int]?
    /// Messages that were left out because Session would have removed them by now.
    package internal(set) var expired: Int64 = 0
    package internal(set) var configurations = 0
    /// What is wrong with attachments and rows.
    package internal(set) var problems: [Problem] = []

    package var entryFailures: [EntryFailure] { problems.map { EntryFailure($0.name, Remark($0.message)) } }

    init(_ target: FilePath) { path = target.string }

    init(_ target: FilePath, unpacked: SessionBackup.Extraction) {
        path = target.string
        isUnpacked = true
        (files, size) = (unpacked.files, unpacked.bytes)
    }
}
