import SystemPackage
import ValiseAccounts
import ValiseBackups
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseRepository
import ValiseSecrets
import ValiseSessionStore

/// A drill with one snapshot.
struct DrillRun {
    let opened: OpenedRepository
    let snapshot: StoredSnapshot
    /// Folders for restored databases.
    let places: [FilePath]
    /// How many files are read at most.
    let sample: Int
    /// Opens databases of Session that have a password.
    let source: PassphraseSource
    let context: OperationContext

    /// So many bytes of files are read at most.
    private static let largestSample: Int64 = 64 << 20
    private static let databases = Set(AccountDatabase.allCases.map(\.archiveName))

    /// Reads the account of the snapshot.
    ///
    /// - Parameters:
    ///   - drill: gets what is proved, as far as it comes.
    ///   - progress: throw to stop.
    ///   - passphrase: of databases that are sealed; gets the account in the snapshot, and where it was.
    /// - Throws: what says why the account cannot be read; whatever the closures throw.
    func perform(
        _ drill: inout SnapshotDrill, _ progress: ProgressHandler,
        passphrase: (AccountReader, AccountLocation) throws -> SharedSecret
    ) throws {
        let storage = try SnapshotStorage(opened.repository, snapshot)
        if let facts = storage.metadata?.session {
            return try perform(facts, storage, &drill, progress)
        }
        drill.prefix = storage.metadata?.prefix ?? AccountLocation.usualPrefix
        let reader = AccountReader(storage)
        let isSealed = try reader.asksForPassphrase()
        let location = AccountLocation(snapshotPath: drill.path, prefix: drill.prefix)
        let key = try isSealed ? passphrase(reader, location) : SharedSecret(.generatedPassphrase())
        let media = try readSample(storage, progress)
        drill.media = media
        if let folder = try folder(for: storage) {
            drill.method = .restored
            let restored = try restore(storage, into: folder, key, progress)
            drill.take(try check(restored, key, progress), media)
            extendLifetime(folder)
        } else {
            drill.method = .inPlace
            let key = try isSealed ? key : SharedSecret(.empty())
            drill.take(try check(reader, key, progress), media)
        }
    }

    private func check(
        _ reader: AccountReader, _ key: SharedSecret, _ progress: ProgressHandler
    ) throws -> AccountCheckReport {
        try AccountCheck().check(reader, passphrase: key.bytes) {
            try opened.lock.check()
            try progress($0)
        }
    }

    // MARK: Databases

    /// Nil where databases would be written unencrypted, or do not fit anywhere.
    private func folder(for storage: SnapshotStorage) throws -> PrivateFolder? {
        guard let metadata = storage.metadata,
            metadata.databases.allSatisfy({ $0.mode != .unencrypted })
        else { return nil }
        let size = try storage.entries().entries.filter { Self.databases.contains($0.name) }
            .reduce(0) { $0 + $1.size }
        return try PrivateFolder.make(size: size, in: places)
    }

    private func restore(
        _ storage: SnapshotStorage, into folder: PrivateFolder, _ key: SharedSecret,
        _ progress: ProgressHandler
    ) throws -> AccountReader {
        var options = RestoreOptions()
        options.selection = .databases(Set(AccountDatabase.allCases))
        options.prefix = AccountLocation.usualPrefix
        let path = folder.path.appending("account")
        _ = try SnapshotRestore(opened.repository, snapshot, options).run(
            into: path, passphrase: key.bytes.duplicate()
        ) {
            try opened.lock.check()
            try progress($0)
        }
        return AccountReader(
            DrilledStorage(try AccountReader(AccountLocation(directory: path)), storage))
    }

    // MARK: Session

    /// Restores the database of a store of Session and opens it, with the key that its configuration has or that is given.
    private func perform(
        _ facts: SessionFacts, _ storage: SnapshotStorage, _ drill: inout SnapshotDrill,
        _ progress: ProgressHandler
    ) throws {
        drill.prefix = ""
        let ofStore = Set(["", "-wal", "-journal"].map { facts.kind.database + $0 } + [facts.kind.keyFile])
        let media = try readSample(storage, without: ofStore, progress)
        drill.media = media
        let size = try storage.entries().entries.filter { ofStore.contains($0.name) }
            .reduce(0) { $0 + $1.size }
        guard let folder = try PrivateFolder.make(size: size, in: places) else {
            throw FileError(
                .noSpace, "not enough space for \(Count.bytes(size)) that have to be restored",
                places.last ?? "/tmp")
        }
        defer { extendLifetime(folder) }
        drill.method = .restored
        var options = RestoreOptions()
        options.selection = .entries { ofStore.contains($0) }
        let path = folder.path.appending("store")
        let restored = RestoredName.ofSnapshot(snapshot.id)
        try restored.inErrors(of: path) {
            _ = try SnapshotRestore(opened.repository, snapshot, options).run(into: path, passphrase: nil) {
                try opened.lock.check()
                try progress($0)
            }
        }
        let proof = SessionRestoreProof(
            facts, source, context, name: drill.path, restored: restored, places: places)
        do {
            drill.take(try proof.facts(path, progress), media)
        } catch let error as SessionStoreError where error.isOfKey {
            // What opens another account may be no key at all of this one.
            drill.take(SessionFacts(facts.kind), media)
        }
    }

    // MARK: Other files

    /// Reads some files, chosen by chance.
    private func readSample(
        _ storage: SnapshotStorage, without others: Set<String> = databases, _ progress: ProgressHandler
    ) throws -> SnapshotDrill.Media {
        let files = try storage.entries().entries.filter { !others.contains($0.name) }
        var media = SnapshotDrill.Media()
        media.files = files.count
        var chosen: Set<String> = []
        for file in files.shuffled().prefix(sample)
        where chosen.isEmpty || media.checkedSize + file.size <= Self.largestSample {
            chosen.insert(file.name)
            media.checkedSize += file.size
        }
        media.checked = chosen.count
        var done: Int64 = 0
        let total = media.checkedSize
        let failed = try storage.checkContents(only: { chosen.contains($0.name) }) {
            done += $0
            try opened.lock.check()
            try progress(OperationProgress("reading files", completed: done, total: total))
        }
        media.problems = failed.map { .init(name: $0.name, message: $0.error.sentence) }
        return media
    }
}
