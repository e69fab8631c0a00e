import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
import ValiseFiles

/// Moves or deletes what was listed, and the folders that become empty by that.
final class PurgeRemoval {
    private let plan: MediaPurgePlan
    private let deletes: Bool
    private let name: String
    private let fileSystem: FileSystem
    /// The folder of the purge in each base.
    private var targets: [FilePath: FilePath] = [:]
    private var madeFolders: Set<FilePath> = []
    /// The folders that something was taken out of.
    private var changed: Set<FilePath> = []

    /// - Throws: ``MediaEncryptionError`` with `unsupported` where something cannot be moved.
    init(_ plan: MediaPurgePlan, deletes: Bool, name: String, _ fileSystem: FileSystem) throws {
        self.plan = plan
        self.deletes = deletes
        self.name = name
        self.fileSystem = fileSystem
        if !deletes, let item = plan.items.first(where: { $0.place.base == nil }) {
            throw MediaEncryptionError(
                .unsupported,
                "this folder is a separate file system, so files cannot be moved out of it by renaming. Nothing was "
                    + "changed.", subject: item.place.folder.string, remedy: .deleteAtOnce)
        }
    }

    /// - Throws: ``FileError`` where nothing can be made durable; whatever `progress` throws.
    func run(_ report: inout MediaPurgeReport, _ progress: ProgressHandler) throws {
        for (index, item) in plan.items.enumerated() {
            try progress(
                OperationProgress(
                    deletes ? "deleting" : "moving", completed: Int64(index), total: Int64(plan.items.count),
                    unit: .items))
            do {
                try remove(item)
                report.count += 1
                report.size += item.size
            } catch let error as FileError {
                report.problems.append(.init(path: item.path, message: error.message))
            }
            report.folders = targets.values.map(\.string).sorted()
        }
        try makeDurable()
    }

    /// A file is durable where it goes before it is gone for good where it was.
    private func makeDurable() throws {
        for folder in madeFolders.sorted(by: Self.isDeeper) { try fileSystem.synchronizeDirectory(folder) }
        for base in targets.keys { try fileSystem.synchronizeDirectory(base) }
        let gone = try removeEmptyFolders()
        for folder in changed.subtracting(gone) { try fileSystem.synchronizeDirectory(folder) }
    }

    private static func isDeeper(_ one: FilePath, _ other: FilePath) -> Bool {
        one.components.count > other.components.count
    }

    private func remove(_ item: MediaPurgePlan.Item) throws {
        let path = item.place.path(item.name)
        changed.insert(path.parentFolder)
        guard !deletes, let base = item.place.base else { return try fileSystem.removeTree(path) }
        let target = try target(in: base).appending(item.place.movedPath(item.name))
        try makeFolders(target.parentFolder)
        try fileSystem.renameExclusively(path, to: target)
    }

    /// The folder of this purge: a new one, so that nothing in it can be in the way.
    private func target(in base: FilePath) throws(FileError) -> FilePath {
        if let made = targets[base] { return made }
        var number = 1
        while true {
            let target = base.appending(number == 1 ? name : "\(name)-\(number)")
            number += 1
            guard try !fileSystem.exists(target) else { continue }
            try fileSystem.makeDirectory(target)
            targets[base] = target
            madeFolders.insert(target)
            return target
        }
    }

    private func makeFolders(_ folder: FilePath) throws(FileError) {
        guard !madeFolders.contains(folder) else { return }
        try makeFolders(folder.parentFolder)
        try fileSystem.makeDirectory(folder)
        madeFolders.insert(folder)
    }

    // MARK: Empty folders

    /// - Returns: the folders that are gone.
    private func removeEmptyFolders() throws -> Set<FilePath> {
        var gone: Set<FilePath> = []
        let places = Set(plan.items.map(\.place.folder))
        // The deepest first; above them, others may become empty by that.
        for folder in changed.sorted(by: Self.isDeeper) {
            var here = folder
            while !places.contains(here), try fileSystem.exists(here), try fileSystem.list(here).isEmpty {
                try fileSystem.removeDirectory(here)
                gone.insert(here)
                here = here.parentFolder
                changed.insert(here)
            }
        }
        return gone
    }
}
