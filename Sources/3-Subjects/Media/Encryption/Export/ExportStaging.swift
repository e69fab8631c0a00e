import SystemPackage
import ValiseArchives
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// Puts finished copies in place, many at a time so that one flush serves them all.
///
/// A copy is durable before it gets its name, and has its name before the manifest has its line. So a name never
/// stands for half a file, and a line that has no file is noticed by the next run.
final class ExportStaging {
    /// Where copies are until they are flushed.
    static let folderName = ".valise-export"

    private static let mostFiles = 1024
    private static let mostBytes: Int64 = 256 << 20
    /// FAT counts in steps of two seconds.
    private static let coarsestTime: Int64 = 2

    private let out: FilePath
    private let fileSystem: FileSystem
    private let manifest: ExportManifest
    private let names: ExportNames
    private var staged: [ExportJob] = []
    private var stagedSize: Int64 = 0
    private var number = 0
    private var madeFolders: Set<String> = []
    /// What was put in place; the caller's report takes it over.
    private(set) var copied = 0
    private(set) var copiedSize: Int64 = 0
    private(set) var duplicates = 0
    private(set) var adopted = 0

    init(_ out: FilePath, _ manifest: ExportManifest, _ names: ExportNames, _ fileSystem: FileSystem) {
        self.out = out
        self.manifest = manifest
        self.names = names
        self.fileSystem = fileSystem
    }

    private var folder: FilePath { out.appending(Self.folderName) }

    /// Removes copies that a killed run left.
    /// - Throws: ``FileError``.
    func clean() throws { try fileSystem.removeTree(folder) }

    /// Makes the folder for copies.
    /// - Throws: ``FileError``.
    func begin() throws {
        try clean()
        try fileSystem.makeDirectory(folder)
    }

    /// A new path for a copy.
    func nextPartial() -> FilePath {
        number += 1
        return folder.appending("\(number)")
    }

    // MARK: Putting in place

    /// Takes a finished copy.
    /// - Throws: ``FileError``.
    func add(_ job: ExportJob) throws {
        staged.append(job)
        stagedSize += job.entry.size
        if staged.count >= Self.mostFiles || stagedSize >= Self.mostBytes { try flush() }
    }

    /// Puts all finished copies in place.
    /// - Throws: ``FileError``. What was put in place is whole.
    func flush() throws {
        guard !staged.isEmpty else { return }
        // A failure leaves the rest to the next run: twice the same would put the first ones in place again.
        let jobs = staged
        staged = []
        stagedSize = 0
        try fileSystem.synchronizeAll(out)
        for job in jobs { try publish(job) }
    }

    /// Makes names and manifest durable, and removes the folder for copies.
    /// - Throws: ``FileError``.
    func end() throws {
        try flush()
        try fileSystem.removeTree(folder)
        if copied + duplicates + adopted > 0 { try fileSystem.synchronizeAll(out) }
    }

    /// Removes copies that were not put in place. What cannot be removed, the next run removes.
    func discard() {
        try? fileSystem.removeTree(folder)
    }

    private func publish(_ job: ExportJob) throws {
        var entry = job.entry
        let first = try firstCopy(of: entry)
        entry.duplicateOf = first
        while true {
            if try fileSystem.exists(out.appending(entry.path)) {
                if try holds(entry) {
                    adopted += 1
                    return try finish(job, entry)
                }
                // The user put something else there, or changed what was.
                entry.path = try names.claim(job.name, in: job.folder, size: entry.size)
                continue
            }
            do {
                try put(job, &entry, first)
                return try finish(job, entry)
            } catch let error as FileError where error.code == .alreadyExists {
                // Somebody was faster: looked at in the next round.
                continue
            }
        }
    }

    private func put(_ job: ExportJob, _ entry: inout MediaExportEntry, _ first: String?) throws {
        try makeFolder(job.folder)
        guard let first else {
            try fileSystem.renameExclusively(job.partial, to: out.appending(entry.path))
            copied += 1
            copiedSize += entry.size
            return
        }
        do {
            try fileSystem.link(out.appending(first), as: out.appending(entry.path))
        } catch let error where Self.cannotLink(error) {
            entry.path = first
        }
        duplicates += 1
    }

    /// Whether the file system has no links, or the file has as many as it may.
    private static func cannotLink(_ error: FileError) -> Bool {
        let reasons: [Errno] = [.notPermitted, .notSupported, .noFunction, .improperLink, .tooManyLinks]
        return error.errno.map(reasons.contains) ?? false
    }

    private func finish(_ job: ExportJob, _ entry: MediaExportEntry) throws {
        try manifest.append(entry)
        // Renamed, or not needed.
        if try fileSystem.exists(job.partial) { try fileSystem.remove(job.partial) }
    }

    private func makeFolder(_ folder: String) throws {
        guard !madeFolders.contains(folder) else { return }
        try fileSystem.makeDirectories(out.appending(folder))
        madeFolders.insert(folder)
    }

    // MARK: Comparing

    /// The path of a file with this content that nobody changed since it was exported.
    private func firstCopy(of entry: MediaExportEntry) throws -> String? {
        guard let first = try manifest.first(withDigest: entry.sha256), first.path != entry.path,
            let found = try fileSystem.attributes(of: out.appending(first.path)), found.kind == .regular,
            found.size == first.size
        else { return nil }
        guard let time = first.time.flatMap({ UTCTime($0) }) else { return first.path }
        return abs(time.seconds - found.modificationTime) <= Self.coarsestTime ? first.path : nil
    }

    /// Whether the file in the place of an entry has its content.
    private func holds(_ entry: MediaExportEntry) throws -> Bool {
        let path = out.appending(entry.path)
        guard let found = try fileSystem.attributes(of: path), found.kind == .regular,
            found.size == entry.size
        else { return false }
        let source = try FileSource(path, fileSystem: fileSystem)
        return Hexadecimal.encode(try SHA256.hash(source)) == entry.sha256
    }
}
