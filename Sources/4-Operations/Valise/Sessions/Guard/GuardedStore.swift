import SystemPackage
import ValiseFailures
import ValiseFiles
import ValiseSessionStore

/// A store of which guards are taken: where it is, and what lies beside it.
struct GuardedStore: Sendable {
    let place: SessionPlace
    /// Without links.
    let folder: FilePath
    let state: SessionStateFiles

    /// - Throws: ``OperationError``: `notFound`, `unsupported`, `invalid`; `FileError`.
    init(_ path: FilePath, _ fileSystem: FileSystem) throws {
        if try GuardFolder.isOne(path, fileSystem) {
            throw OperationError(.invalid, "this is a guard, not a store", subject: path.string)
        }
        let found = try SessionPlace.find(path, fileSystem: fileSystem) ?? SessionPlace.require(path)
        guard let state = found.kind.stateFiles else {
            throw OperationError(
                .unsupported, "no update changes a backup of Session iOS", subject: path.string)
        }
        place = found
        folder = try fileSystem.resolve(path)
        self.state = state
    }

    /// Its name, which those of its guards begin with.
    var name: String { folder.lastComponent?.string ?? "store" }

    /// Completes a restore that was interrupted, or takes it back.
    ///
    /// - Parameters:
    ///   - path: of the store, whose database may be missing.
    ///   - context: which is told.
    /// - Returns: how it ended; nil where there was none.
    /// - Throws: ``OperationError``: `newer`, `damaged`, `inUse`; `AccountError` with `inUse`; `FileError`.
    @discardableResult
    static func recover(
        _ path: FilePath, _ fileSystem: FileSystem, in context: OperationContext
    ) throws -> SessionSwap.Recovery? {
        guard try fileSystem.exists(path) else { return nil }
        let folder = try fileSystem.resolve(path)
        guard try SessionSwap.pending(folder, fileSystem) != nil else { return nil }
        let lock = try lock(folder)
        defer { extendLifetime(lock) }
        // The run that had the lock may have completed it.
        return try recoverLocked(folder, fileSystem, in: context)
    }

    /// The same where the caller has the lock, and does not give it back before what follows.
    @discardableResult
    static func recoverLocked(
        _ folder: FilePath, _ fileSystem: FileSystem, in context: OperationContext
    ) throws -> SessionSwap.Recovery? {
        guard let recovery = try SessionSwap.pending(folder, fileSystem)?.recover() else { return nil }
        context.note(SessionRecoveryNote(recovery))
        return recovery
    }

    /// Keeps other runs of Valise out.
    /// - Throws: ``OperationError`` with `inUse`; `FileError`.
    static func lock(_ folder: FilePath, _ mode: LockMode = .exclusive) throws -> DirectoryLock {
        if let lock = try DirectoryLock.take(folder, mode, patience: .milliseconds(500)) { return lock }
        throw OperationError(
            .inUse, "another run of Valise uses it. Nothing was changed.", subject: folder.string,
            remedy: .tryLater)
    }
}

/// How an interrupted restore ended.
package struct SessionRecoveryNote: OperationNote {
    package let text: String

    init(_ recovery: SessionSwap.Recovery) {
        text =
            switch recovery {
            case .before: "rolled back an interrupted restore: the database is the one from before it"
            case .after(let kept?):
                "completed an interrupted restore; the database from before it is in \(kept.string)"
            case .after(nil): "completed an interrupted restore"
            }
    }
}
