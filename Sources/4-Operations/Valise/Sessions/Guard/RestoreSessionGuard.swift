package import SystemPackage
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSessionStore

/// Puts the database of a guard back in its store, after ``Question/restoreSession(_:taken:)``. What it replaces is kept beside the
/// store. The guard is proved before anything is touched, the store afterwards; where that fails, the previous database comes back.
package struct RestoreSessionGuard: Operation {
    /// The guard.
    package var path: FilePath
    /// The store; nil for the one that the guard was taken of.
    package var store: FilePath?
    /// The password of the profile, or the key of the phone's database.
    package var passphrase: PassphraseSource
    var fileSystem = FileSystem()
    /// The time of day, in seconds since 1970.
    var clock = UTCTime.clock

    package init(_ path: FilePath, into store: FilePath? = nil, passphrase: PassphraseSource = .init()) {
        self.path = path
        self.store = store
        self.passphrase = passphrase
    }

    /// Proves the guard, and looks whether the program is closed.
    package func plan(in context: OperationContext) async throws -> PlannedSessionRestore {
        try await proving(context) { restoring, secret in
            // A plan changes nothing, and completes nothing either.
            try restoring.withStore(recovers: false) { _ in try restoring.plan(secret) }
        }
    }

    /// - Throws: ``OperationError``: `notFound`, `damaged`, `newer`, `invalid`, `inUse`, and where there is no consent;
    ///   `AccountError` with `inUse` where the program is running; `SessionStoreError`: `wrongKey`, `damaged`; `FileError`.
    package func run(in context: OperationContext) async throws -> RestoredSession {
        let early = try await context.blocking { _ in
            try GuardedStore.recover(restoring(context).folder, fileSystem, in: context)
        }
        return try await proving(context) { restoring, secret in
            try restoring.withStore(recovers: true) { recovery in
                let plan = try restoring.plan(secret)
                if plan.isInPlace {
                    // An interrupted run of the same restore was completed just now.
                    let kept: FilePath? = if case .after(let kept)? = recovery ?? early { kept } else { nil }
                    return try restoring.reportInPlace(kept: kept)
                }
                try context.require(
                    whileBlocking: .restoreSession(restoring.folder, taken: restoring.guarded.record.taken),
                    unasked: .unasked("replacing a database", subject: restoring.folder.string))
                return try restoring.run(secret)
            }
        }
    }

    /// More than a configuration has, in bytes.
    private static let configurationSize: Int64 = 1 << 20

    private func restoring(_ context: OperationContext, work: FilePath? = nil) throws -> GuardRestoring {
        let guarded = try GuardFolder(path, fileSystem)
        return try GuardRestoring(
            guarded, into: store ?? FilePath(guarded.record.source.path),
            stamp: GuardTaking.stamp(UTCTime(seconds: clock())), work: work, fileSystem, context)
    }

    private func proving<Value: Sendable>(
        _ context: OperationContext, _ body: @Sendable (GuardRestoring, SessionSecret?) throws -> Value
    ) async throws -> Value {
        let context = context.asking(to: "verify the guard")
        let place = try await context.blocking { progress in
            let guarded = try restoring(context).guarded
            // A damaged configuration would only look as if a password were missing.
            try guarded.verifyFiles(largest: Self.configurationSize, progress)
            return try guarded.place()
        }
        let work = try await context.blocking { _ in try SessionAccess.work(for: place, context.folders) }
        defer { extendLifetime(work) }
        return try await SessionSecret.trying(passphrase, on: place, in: context) { secret in
            try body(restoring(context, work: work?.path), secret)
        }
    }
}

/// What would be restored.
package struct PlannedSessionRestore: OperationReport {
    /// The guard.
    package let path: String
    package let store: String
    /// When the guard was taken, in UTC.
    package let taken: String
    package let program: SessionPlace.Kind
    /// What is in the database of the guard.
    package let content: GuardedContent
    /// Whether the store has these files already, so that nothing would be replaced.
    package let isInPlace: Bool
    /// Of the files, in bytes.
    package let size: Int64
}

/// A store whose database was restored.
package struct RestoredSession: OperationReport {
    /// The guard.
    package let path: String
    package let store: String
    /// When the guard was taken, in UTC.
    package let taken: String
    package let program: SessionPlace.Kind
    /// What is in the database, which was opened where it is.
    package let content: GuardedContent
    /// The folder with what was replaced; nil where nothing was.
    package let kept: String?
    /// Attachments when the guard was taken.
    package let guardedAttachments: AttachmentTally
    /// Attachments that are there now.
    package let attachments: AttachmentTally

    /// How many fewer files of attachments there are than when the guard was taken.
    package var missingAttachments: Int64 { max(0, guardedAttachments.files - attachments.files) }
}
