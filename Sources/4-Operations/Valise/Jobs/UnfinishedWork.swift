import SystemPackage
import ValiseCryptography
import ValiseEncoding
import ValiseFiles
package import ValiseJobQueue

/// What earlier runs left.
package struct UnfinishedWork: Sendable {
    /// Waiting, or left running.
    package let pending: Int
    package let needUser: Int
    package let failed: Int
    /// Of kinds that this version does not know: nothing here resumes them.
    package let newer: Int
    /// The one, where there is just one.
    package let single: Job?
    /// What interrupted downloads without a job are called; looked at where no job has anything to say.
    package var downloads: [String] = []
    /// Tells this state from others. It has no names.
    private let mark: String

    /// Not waited for longer: nobody asked.
    private static let patience: Duration = .milliseconds(50)

    /// - Returns: nil for nothing, and where the queue cannot be read: whoever needs it says so.
    package static func find(_ folders: ValiseFolders) -> UnfinishedWork? {
        ofJobs(folders) ?? UnfinishedWork(downloadsIn: folders)
    }

    /// The same once: nil for what was found before, until something else is found.
    package static func findNews(_ folders: ValiseFolders) -> UnfinishedWork? {
        guard let note = folders.state?.appending("reported") else { return nil }
        let (found, fileSystem) = (find(folders), FileSystem())
        let known = try? fileSystem.contents(of: note, limit: 1000)
        guard found.map({ Array($0.mark.utf8) }) != known else { return nil }
        if let found {
            // Where this cannot be written, it is found once more.
            try? fileSystem.replace(note, with: Array(found.mark.utf8))
        } else if UserJobs(folders).folder.flatMap({ QuietQueue($0) })?.isKnown == true {
            // Not where the queue could not be read just now.
            try? fileSystem.remove(note)
        }
        return found
    }

    private static func mark(_ parts: [String]) -> String {
        Hexadecimal.encode(SHA256.hash(Array(parts.joined(separator: "\n").utf8)).prefix(16))
    }

    private static func ofJobs(_ folders: ValiseFolders) -> UnfinishedWork? {
        let jobs = UserJobs(folders)
        guard let folder = jobs.folder, QuietQueue(folder)?.isKnown != true,
            let queue = try? jobs.existing(patience: patience), let all = try? queue.counts(),
            let known = try? queue.counts(kinds: JobKinds.names)
        else { return nil }
        let found = UnfinishedWork(queue, known, newer: max(0, all.open - known.open))
        // Looking changes the file, so what is remembered comes after.
        if found == nil { QuietQueue(folder)?.remember() }
        return found
    }

    private init?(_ queue: JobQueue, _ counts: JobCounts, newer: Int) {
        pending = counts[.waiting] + counts.left
        (needUser, failed) = (counts[.needsUser], counts[.failed])
        self.newer = newer
        guard pending + needUser + failed + newer > 0 else { return nil }
        let left = Self.left(queue)
        single = left.count == 1 && newer == 0 ? left[0] : nil
        mark = Self.mark(left.map { "\($0.id) \($0.state)" } + ["\(newer)"])
    }

    /// Those without a job. A job that runs may have one that is not open yet; and where the queue cannot be read, nobody
    /// knows which have one.
    private init?(downloadsIn folders: ValiseFolders) {
        guard let notes = ReceivingNotes(folders), let found = try? Self.withoutJob(notes, UserJobs(folders))
        else { return nil }
        downloads = found.filter { !$0.download.isRunning }.map { OperationRecord($0).title }
        guard !downloads.isEmpty else { return nil }
        (pending, needUser, failed, newer, single) = (0, 0, 0, 0, nil)
        mark = Self.mark(downloads)
    }

    private static func withoutJob(_ notes: ReceivingNotes, _ jobs: UserJobs) throws -> [ReceivingNotes.Found]
    {
        // No job has any then, and opening the queue would change the file by which that is known.
        if let folder = jobs.folder, QuietQueue(folder)?.isKnown == true { return try notes.found() }
        return try notes.foundWithoutJob(jobs, patience: patience)
    }

    private static func left(_ queue: JobQueue) -> [Job] {
        let filter = JobFilter(states: ListOperations.unfinished, kinds: JobKinds.names)
        return ((try? queue.jobs(filter)) ?? []).filter { $0.state != .running || $0.isLeft }
    }
}
