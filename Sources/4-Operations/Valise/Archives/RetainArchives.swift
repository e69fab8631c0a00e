package import SystemPackage
public import ValiseAccountArchives
public import ValiseConcurrency
import ValiseFailures
import ValiseFiles

/// Removes all but the newest archives of an account whose names have one template, in the folder of the newest.
public struct RetainArchives: Operation {
    /// The newest archive. It is counted, whether it is written yet or not, and never removed.
    package var newest: TemplatedPath
    /// How many are kept, at least one.
    package var count: Int
    /// What kind of archive the newest one is. Those of another kind are not counted, whatever their names end in.
    package var format: ExportFormat
    /// Those that the user agreed to remove; nil for all that are found.
    package var agreed: [FilePath]?

    /// - Parameters:
    ///   - newest: the newest archive. It is counted, whether it is written yet or not, and never removed.
    ///   - count: how many are kept, at least one.
    ///   - format: what kind of archive the newest one is; nil for the one that its name asks for.
    public init(newest: TemplatedPath, count: Int, format: ExportFormat? = nil) {
        self.newest = newest
        self.count = count
        let name = newest.path.lastComponent?.string ?? ""
        self.format = format ?? ExportFormat(endingOf: name) ?? .zip
    }

    /// The archives that would be removed, the oldest first.
    public func plan(in context: OperationContext) async throws -> PlannedFiles {
        try await context.blocking { progress in
            var plan = PlannedFiles()
            plan.removed = try surplus(progress).map(\.path)
            return plan
        }
    }

    /// Removes them one by one, the oldest first.
    /// - Throws: ``OperationError`` with `notFound` where the newest archive is missing or none: nothing is removed then.
    public func run(in context: OperationContext) async throws -> RetainedArchives {
        try await context.blocking { progress in
            guard try isArchive(newest.path, progress) else {
                throw OperationError(
                    .notFound, "no intact archive. Earlier archives were kept.", subject: newest.path.string)
            }
            var report = RetainedArchives()
            for archive in try surplus(progress) where agreed?.contains(archive.path) != false {
                do throws(FileError) {
                    try archive.remove()
                    report.removed.append(archive.path.string)
                } catch {
                    context.tell(error, of: archive.path.string)
                    report.failures.append(EntryFailure(archive.path.string, Remark(error)))
                }
            }
            if !report.removed.isEmpty { try FileSystem().synchronizeDirectory(folder) }
            return report
        }
    }

    /// Those that may be removed of archives that were found. Behind a newest one whose databases were not checked, the one
    /// before it stays: it may be the only one without damage.
    ///
    /// - Parameter found: the oldest first.
    package func removable(_ found: [FilePath], isNewestChecked: Bool) -> [FilePath] {
        keepsOneMore(isNewestChecked) ? found.dropLast() : found
    }

    /// Whether one more is kept than was asked for, because the databases of the newest were not checked.
    package func keepsOneMore(_ isNewestChecked: Bool) -> Bool { !isNewestChecked && count < 2 }

    private var folder: FilePath { newest.path.parentFolder }

    /// The oldest first.
    private func surplus(_ progress: ProgressHandler) throws -> [FoundArchive] {
        guard try FileSystem().isDirectory(folder) else { throw FileError.noFolder(folder) }
        var found: [FoundArchive] = []
        for entry in try FileSystem().list(folder) {
            guard let archive = try archive(entry, progress) else { continue }
            found.append(archive)
        }
        return Array(found.sorted(by: <).dropLast(max(count, 1) - 1))
    }

    /// Nil for all that is not an intact archive with a name of the template.
    private func archive(_ entry: DirectoryEntry, _ progress: ProgressHandler) throws -> FoundArchive? {
        guard let name = entry.name, name != newest.path.lastComponent?.string,
            let values = newest.template.values(of: name, account: newest.values.account)
        else { return nil }
        let path = folder.appending(name)
        guard let attributes = try FileSystem().attributes(of: path), attributes.kind == .regular,
            try isArchive(path, progress)
        else { return nil }
        return FoundArchive(path: path, date: values.date, time: values.time, attributes: attributes)
    }

    /// Whether the structure of the whole file is that of an account's archive, of the kind of the newest one. A tar has no
    /// directory: all of it is read, which can be interrupted.
    private func isArchive(_ path: FilePath, _ progress: ProgressHandler) throws -> Bool {
        do {
            let listing = try ArchiveListing(path, progress: progress)
            return listing.isAccount && listing.hidden.isEmpty && listing.container == format.container
        } catch let error as any Failure where error.code != .interrupted {
            return false
        }
    }
}

/// An archive that may be removed.
private struct FoundArchive {
    let path: FilePath
    /// As the name has them; empty where it does not.
    let date: String
    let time: String
    let attributes: FileAttributes

    /// - Throws: `FileError`, also where another file has the name meanwhile.
    func remove() throws(FileError) {
        let now = try FileSystem().attributes(of: path)
        guard now?.isUnchanged(since: attributes) == true else {
            throw FileError(.failed, "changed meanwhile", path)
        }
        try FileSystem().remove(path)
    }

    /// Whether the left one is older: by the moment in its name, else by its file time. A time of day alone orders nothing.
    static func < (left: FoundArchive, right: FoundArchive) -> Bool {
        if left.date != right.date { return left.date < right.date }
        if !left.date.isEmpty, left.time != right.time { return left.time < right.time }
        let times = (left.attributes.fileTime, right.attributes.fileTime)
        return times.0 == times.1 ? left.path.string < right.path.string : times.0 < times.1
    }
}

extension ExportFormat {
    /// As a listing names it.
    fileprivate var container: String? {
        switch self {
        case .zip: nil
        case .tar, .tarZstd: rawValue
        }
    }
}

extension FileAttributes {
    fileprivate var fileTime: Duration {
        .seconds(modificationTime) + .nanoseconds(modificationNanoseconds)
    }
}

/// Archives that were removed.
public struct RetainedArchives: Sendable {
    /// Their paths, the oldest first.
    public fileprivate(set) var removed: [String] = []
    /// Those that could not be removed.
    public fileprivate(set) var failures: [EntryFailure] = []
}
