import SystemPackage
import ValiseAccounts
import ValiseFailures
import ValiseFiles

/// The folder in which the new account is prepared, beside the place where it goes.
final class SalvageOutput {
    /// Where it is prepared.
    let folder: FilePath
    private let target: FilePath
    private let fileSystem: FileSystem
    private var lock: DirectoryLock?
    /// Whether the folder was made by this object, and was not put in place yet.
    private var isOurs = false

    /// Says that a folder is ours, so that a later run may remove what a killed one left.
    private static let marker = ".valise-salvage"

    /// - Throws: ``AccountError``: `alreadyExists` where something is at the target; `inUse` where another run
    ///   prepares the same; ``FileError``.
    init(_ target: FilePath, fileSystem: FileSystem) throws {
        self.target = target
        self.fileSystem = fileSystem
        folder = target.appendingSuffix(".partial")
        try Self.refuse(target, fileSystem)
        try fileSystem.makeDirectories(target.parentFolder)
        if try fileSystem.exists(folder) { try takeOver() }
        do throws(FileError) {
            try fileSystem.makeDirectory(folder)
        } catch {
            throw error.named(target, insteadOf: folder)
        }
        isOurs = true
        lock = try DirectoryLock(folder, .exclusive)
        _ = try fileSystem.create(folder.appending(Self.marker))
    }

    deinit {
        // Also runs where the initializer throws: then the folder may be somebody else's.
        if isOurs { try? fileSystem.removeTree(folder) }
    }

    /// Refuses a target where something is.
    /// - Throws: ``AccountError`` with `alreadyExists`; ``FileError``.
    static func refuse(_ target: FilePath, _ fileSystem: FileSystem) throws {
        guard try fileSystem.exists(target) else { return }
        guard try fileSystem.attributes(of: target)?.kind == .directory, try fileSystem.list(target).isEmpty
        else {
            throw AccountError(
                .alreadyExists,
                "the new account needs its own folder, empty or not yet created. Nothing was changed.",
                target)
        }
    }

    private func takeOver() throws {
        let entries = try fileSystem.list(folder)
        guard entries.isEmpty || entries.contains(where: { $0.name == Self.marker }) else {
            throw AccountError(
                .alreadyExists,
                "already exists and was not created by a salvage. Nothing was changed.",
                folder)
        }
        guard try DirectoryLock(folder, .exclusive) != nil else {
            throw AccountError(.inUse, "another run is preparing this account. Nothing was changed.", folder)
        }
        try fileSystem.removeTree(folder)
    }

    /// Makes all of it durable and puts it in place.
    func commit() throws {
        try fileSystem.synchronizeAll(folder)
        try synchronize(folder)
        try fileSystem.rename(folder, to: target)
        isOurs = false
        try fileSystem.synchronizeDirectory(target.parentFolder)
        try fileSystem.remove(target.appending(Self.marker))
        try fileSystem.synchronizeDirectory(target)
    }

    private func synchronize(_ folder: FilePath) throws {
        for entry in try fileSystem.list(folder) where entry.kind == .directory {
            if let name = FilePath.Component(bytes: entry.nameBytes) {
                try synchronize(folder.appending(name))
            }
        }
        try fileSystem.synchronizeDirectory(folder)
    }
}
