import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
import ValiseFiles

/// Copies the folders of media and wallpapers. A file that cannot be read is reported and passed over.
struct MediaCopy {
    let fileSystem: FileSystem

    func size(of location: AccountLocation) throws -> Int64 {
        try [location.filesFolder, location.wallpapersFolder].reduce(0) { try $0 + size(of: $1) }
    }

    private func size(of folder: FilePath) throws -> Int64 {
        guard try fileSystem.isDirectory(folder) else { return 0 }
        var size: Int64 = 0
        for entry in try fileSystem.list(folder) {
            guard let name = FilePath.Component(bytes: entry.nameBytes) else { continue }
            if entry.kind == .regular {
                size += try fileSystem.attributes(of: folder.appending(name))?.size ?? 0
            }
        }
        return size
    }

    func run(
        _ from: AccountLocation, _ to: AccountLocation, _ report: inout SalvageReport,
        _ progress: ProgressHandler
    ) throws {
        let total = try size(of: from)
        var done: Int64 = 0
        for (source, target) in [
            (from.filesFolder, to.filesFolder), (from.wallpapersFolder, to.wallpapersFolder),
        ] {
            try fileSystem.makeDirectories(target)
            guard try fileSystem.isDirectory(source) else { continue }
            for entry in try fileSystem.list(source) where entry.kind == .regular {
                guard let name = FilePath.Component(bytes: entry.nameBytes) else { continue }
                do {
                    try copy(source.appending(name), target.appending(name)) { count in
                        done += count
                        try progress(OperationProgress("copying media", completed: done, total: total))
                    }
                    report.mediaFiles += 1
                } catch let error as FileError where error.code != .noSpace {
                    report.mediaErrors.append(error.description)
                }
            }
        }
    }

    /// Not flushed one by one: all are together, before the account is put in place.
    private func copy(_ source: FilePath, _ target: FilePath, _ progress: (Int64) throws -> Void) throws {
        let from = try fileSystem.openForReading(source)
        do {
            var to = try fileSystem.create(target)
            try to.append(contentsOf: from, progress: progress)
            try to.close()
        } catch let error as FileError {
            if try fileSystem.exists(target) { try fileSystem.remove(target) }
            throw error
        }
    }
}
