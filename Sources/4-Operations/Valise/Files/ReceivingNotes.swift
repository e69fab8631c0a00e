import SystemPackage
import ValiseConcurrency
import ValiseCryptography
import ValiseEncoding
import ValiseFiles
import ValiseJobQueue
import ValiseTransfers

/// Where files are being received: what has arrived of one is in a folder beside its target, wherever that is, and nothing else
/// leads there once its job is gone.
struct ReceivingNotes: Sendable {
    /// One download. Its links are not in it.
    struct Note: Codable, Sendable, Equatable {
        let target: JobPath
        let isFolder: Bool
        /// Where it is until it is whole.
        let folder: JobPath
    }

    /// A download that did not come to its end, or has not yet.
    struct Found: Sendable {
        let note: Note
        let download: InterruptedDownload
    }

    private let place: FilePath
    /// A path, and some bytes around it.
    private static let longest = 64 << 10
    private static let suffix = ".json"
    /// In seconds.
    private static let newness: Int64 = 60

    /// - Returns: nil where no folder is known for what a later run needs.
    init?(_ folders: ValiseFolders) {
        guard let state = folders.state else { return nil }
        place = state.appending("downloads")
    }

    /// Keeps a note of a download while it runs, and as long as anything is left of it. A download does not fail because that
    /// cannot be kept.
    func during<Value: Sendable>(_ note: Note, _ download: () async throws -> Value) async throws -> Value {
        await blocking { try begin(note) }
        do {
            let value = try await download()
            await blocking { try removeFinished(note) }
            return value
        } catch {
            await blocking { try removeFinished(note) }
            throw error
        }
    }

    private func blocking(_ body: @escaping @Sendable () throws -> Void) async {
        // Also of a task that was cancelled.
        await Task { _ = try? await BlockingExecutor.shared.run { try body() } }.value
    }

    /// The downloads of which something is there, the running ones too.
    /// - Throws: `FileError` where the notes cannot be listed.
    func found() throws -> [Found] {
        try notes().compactMap { _, note in
            guard let download = try? FileTransfers.interruptedDownload(in: note.folder.path) else {
                return nil
            }
            return Found(note: note, download: download)
        }
    }

    /// The same without those that a job has.
    ///
    /// - Parameter patience: how long another process may have the queue.
    /// - Throws: `FileError`; `JobQueueError` where nobody can know which a job has.
    func foundWithoutJob(_ jobs: UserJobs, patience: Duration = .seconds(30)) throws -> [Found] {
        let all = try found()
        guard !all.isEmpty, let queue = try jobs.existing(patience: patience) else { return all }
        let filter = JobFilter(states: ListOperations.unfinished, kinds: [FileDownloadJob.kind])
        let folders = try queue.jobs(filter).compactMap {
            (JobKinds.operation(of: $0) as? FileDownloadJob)?.receivingFolder?.absolute
        }
        return all.filter { !folders.contains($0.note.folder.absolute) }
    }

    private func begin(_ note: Note) throws {
        let fileSystem = FileSystem()
        try fileSystem.makeDirectories(place)
        let name = Hexadecimal.encode(SHA256.hash(Array(note.folder.absolute.utf8)).prefix(12))
        try fileSystem.replace(
            place.appending(name + Self.suffix), with: try JSONText.encodeBytes(note))
    }

    /// Removes the notes of downloads of which nothing is left; those on a disk that is away stay.
    ///
    /// - Parameter own: of the download that ended. Another one that is new may be of a run that has just begun.
    private func removeFinished(_ own: Note) throws {
        let fileSystem = FileSystem()
        let begun = UTCTime.clock() - Self.newness
        for (path, note) in try notes() {
            let folder = note.folder.path
            guard try fileSystem.exists(folder.removingLastComponent()), try !fileSystem.exists(folder),
                let written = try fileSystem.attributes(of: path)?.modificationTime,
                note.folder.absolute == own.folder.absolute || written < begun
            else { continue }
            try fileSystem.remove(path)
        }
    }

    private func notes() throws -> [(path: FilePath, note: Note)] {
        let fileSystem = FileSystem()
        guard try fileSystem.exists(place) else { return [] }
        return try fileSystem.list(place).compactMap(\.name).filter { $0.hasSuffix(Self.suffix) }.sorted()
            .compactMap { name in
                let path = place.appending(name)
                guard let bytes = try? fileSystem.contents(of: path, limit: Self.longest),
                    let note = try? JSONText.decode(Note.self, from: bytes)
                else { return nil }
                return (path: path, note: note)
            }
    }
}
