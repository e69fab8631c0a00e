import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseBackups
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseRepository
import ValiseSecrets
import ValiseSessionStore

/// One restore: what is restored where.
struct RestoreJob: Sendable {
    /// How it gets into its place.
    enum Way: Sendable {
        /// A folder that appears when it is complete.
        case newFolder
        /// A change of what is in the folder.
        case account
        /// Media that are missing in the folder.
        case missingMedia
    }

    let opened: OpenedRepository
    let snapshot: StoredSnapshot
    let contents: RestoreContents
    let location: AccountLocation
    let way: Way
    let choice: RestoreChoice
    let place: String
    let fileSystem = FileSystem()

    /// - Throws: ``OperationError``: `unsupported` for a part of an account that cannot be put into another one.
    init(_ operation: RestoreSnapshot, _ opened: OpenedRepository) throws {
        self.opened = opened
        choice = operation.options
        place = operation.repository.place.text
        let there = try AccountLocation.place(operation.directory, prefix: operation.prefix)
        snapshot = try opened.snapshot(operation.snapshot, of: there)
        var options = RestoreOptions()
        options.selection = choice.selection
        contents = try SnapshotRestore(opened.repository, snapshot, options).contents()
        if try Self.isFree(there.directory) {
            way = .newFolder
            location = AccountLocation(
                directory: there.directory,
                prefix: operation.prefix ?? contents.metadata?.prefix ?? AccountLocation.usualPrefix)
            return
        }
        location = there
        if let session = contents.metadata?.session {
            throw OperationError(
                .alreadyExists,
                "a \(session.kind.name) is restored into a new folder, and this one has something in it. Nothing was changed.",
                subject: there.directory.string, remedy: .chooseAnotherFolder)
        }
        let isEverything = if case .everything = options.selection { true } else { false }
        guard isEverything || !contents.hasDatabase else {
            throw OperationError(
                .unsupported,
                "a part of the databases cannot replace that of an account. Restore it into a new folder. Nothing was changed.",
                subject: there.directory.string, remedy: .chooseAnotherFolder)
        }
        way = isEverything && contents.hasDatabase ? .account : .missingMedia
    }

    private static func isFree(_ folder: FilePath) throws -> Bool {
        guard let found = try FileSystem().attributes(of: folder) else { return true }
        return try found.kind == .directory && FileSystem().list(folder).isEmpty
    }

    /// For these files of the snapshot.
    func restore(_ selection: RestoreOptions.Selection? = nil) -> SnapshotRestore {
        var options = RestoreOptions()
        options.selection = selection ?? choice.selection
        options.databases = choice.isUnencrypted ? .unencrypted : .encrypted
        options.prefix = location.prefix
        options.skipsDamagedMedia = true
        return SnapshotRestore(opened.repository, snapshot, options)
    }

    /// Whether an account is replaced that a passphrase opens.
    func replacesEncryptedAccount() throws -> Bool {
        guard way == .account, try fileSystem.exists(location.path(of: .agent)) else { return false }
        return try AccountReader(asItIs: location).asksForPassphrase()
    }

    /// Files of the snapshot that are in place, and stay as they are.
    func present() throws -> Set<String> {
        guard way == .missingMedia else { return [] }
        return Set(
            try contents.files.map(\.name).filter { name in
                switch ArchiveLayout.role(of: name) {
                case .file(let file): try fileSystem.exists(location.filesFolder.appending(file))
                case .wallpaper(let file): try fileSystem.exists(location.wallpapersFolder.appending(file))
                case .database, .other: true
                }
            })
    }

    // MARK: Running

    /// What would stop it, before anybody is asked anything.
    func refuseObstacles() throws {
        switch way {
        case .newFolder: break
        case .account: try RestoreReplacement(self).refuseObstacles()
        case .missingMedia:
            _ = try AccountWriter.lockForPlan(location, fileSystem: fileSystem)
            try ReadOnlyMark.refuse(location, fileSystem: fileSystem)
        }
    }

    func run(
        _ keys: RestoreKeys, in context: OperationContext, _ progress: ProgressHandler
    ) throws -> RestoredSnapshot {
        switch way {
        case .newFolder:
            let proof = try SessionRestoreProof(self, keys.session, context)
            var damage: EntryFailure?
            let report = try keys.restored.lent {
                try restore().run(
                    into: location.directory, passphrase: $0, progress: progress,
                    checking: { damage = try proof?.run($0, progress) })
            }
            var restored = RestoredSnapshot(
                SnapshotSketch(snapshot), report, files: Set(contents.files.map(\.name)))
            if let damage { restored.tell(damage) }
            restored.session = contents.metadata?.session.map(BackedUpSession.init)
            return restored
        case .account: return try RestoreReplacement(self).run(keys, in: context, progress)
        case .missingMedia: return try addMedia(progress)
        }
    }

    private func addMedia(_ progress: ProgressHandler) throws -> RestoredSnapshot {
        let account = try AccountWriter(location, fileSystem: fileSystem)
        let present = try present()
        let missing = contents.files.filter { !present.contains($0.name) }
        let sketch = SnapshotSketch(snapshot)
        guard !missing.isEmpty else {
            return RestoredSnapshot(sketch, in: location, skipped: present.count)
        }
        try refuseShortage(of: missing)
        let change = try account.change("restore")
        let names = Set(missing.map(\.name))
        let report = try restore(.entries { names.contains($0) }).stage(
            in: change, of: location, passphrase: nil, progress: progress)
        try progress(OperationProgress("flushing", completed: report.size, total: report.size))
        try fileSystem.synchronizeAll(change.stagingFolder)
        try change.commit()
        var restored = RestoredSnapshot(sketch, report)
        restored.skipped = present.count
        restored.recovery = account.recovery
        return restored
    }
}
