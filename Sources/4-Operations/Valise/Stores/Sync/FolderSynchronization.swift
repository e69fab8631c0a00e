package import SystemPackage
import ValiseConcurrency
import ValiseContentStore
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// A folder and a store that are made the same in one direction, and what both had when that was done last.
package struct FolderSynchronization: Sendable {
    package var store: StoreInput
    package var folder: FilePath
    package var writing = StoreWriting()
    /// How conflicts are ended; nil to leave both versions as they are.
    package var ending: ConflictEnding?
    /// The time of day, in seconds since 1970.
    var clock = UTCTime.clock

    package init(_ folder: FilePath, _ store: StoreInput) {
        self.folder = folder
        self.store = store
    }

    func plan(
        _ direction: SyncPlan.Direction, in context: OperationContext
    ) async throws -> PlannedSync {
        try await store.opened(in: context) { store, progress in
            planned(try look(direction, store, record(context.folders), progress).plan)
        }
    }

    /// Shows the plan where something is lost by it, asks, and does it.
    func run(
        _ direction: SyncPlan.Direction, in context: OperationContext
    ) async throws -> SynchronizedFolder {
        try await store.opened(in: context) { store, progress in
            let record = try record(context.folders)
            let lock = try record.map { try Self.lock($0) }
            defer { extendLifetime(lock) }
            let (plan, found) = try look(direction, store, record, progress)
            var base = found
            let planned = planned(plan)
            if planned.losesSomething {
                try context.require(
                    whileBlocking: .synchronize(planned),
                    unasked: .unasked("removing files", subject: planned.losing(direction)))
            }
            let writer = try writing.writer(store, self.store.identity(clock), in: context)
            var options = StoreUploadOptions()
            options.profile = writing.profile
            options.rewritesChunks = writing.rewritesChunks
            let sync = StoreSync(writer, folder, options) { _ in ending?.resolution }
            let report = try sync.run(
                plan, &base, save: { if let record { try $0.save(record) } }, progress: progress)
            let done = SynchronizedFolder(planned, report)
            context.tell(done.entryFailures)
            return done
        }
    }

    private func planned(_ plan: SyncPlan) -> PlannedSync {
        PlannedSync(self, plan, folder: (try? FileSystem().resolve(folder).string) ?? folder.string)
    }

    private func look(
        _ direction: SyncPlan.Direction, _ store: ContentStore, _ record: FilePath?,
        _ progress: ProgressHandler
    ) throws -> (plan: SyncPlan, base: SyncBase) {
        let base = try record.flatMap { try SyncBase($0) } ?? SyncBase(store)
        return (try SyncPlanner(store, folder, base, now: clock).plan(direction, progress), base)
    }

    /// What both had is among what this user's programs remember, by the digest of folder and address: the folder itself stays
    /// free of it, and so does the store.
    private func record(_ folders: ValiseFolders) throws -> FilePath? {
        guard let state = folders.state else { return nil }
        let name = try FileSystem().resolve(folder).string + "\n" + store.address.canonicalText
        let digest = try ContentDigest(of: Array(name.utf8)).text
        return state.appending("stores").appending("sync").appending(digest).appending("base")
    }

    /// One synchronization of a folder with a store at a time.
    private static func lock(_ record: FilePath) throws -> DirectoryLock {
        try FileSystem().makeDirectories(record.parentFolder)
        guard let lock = try DirectoryLock.take(record.parentFolder, .exclusive, patience: .seconds(10))
        else {
            throw OperationError(.inUse, "another program synchronizes the folder", subject: record.string)
        }
        return lock
    }
}

/// How a conflict is ended.
package enum ConflictEnding: String, Sendable, CaseIterable {
    /// The version of the folder replaces that of the store.
    case keepLocal = "keep-local"
    /// The version of the store replaces that of the folder.
    case keepRemote = "keep-remote"
    /// The file of the folder gets another name, in the store too, and that of the store its place.
    case keepBoth = "keep-both"

    var resolution: ConflictResolution {
        switch self {
        case .keepLocal: .keepLocal
        case .keepRemote: .keepRemote
        case .keepBoth: .keepBoth
        }
    }
}
