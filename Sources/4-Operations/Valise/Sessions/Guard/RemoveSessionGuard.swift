package import SystemPackage
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseSessionStore

/// Removes a guard, after ``Question/removeSessionGuard(_:)``.
package struct RemoveSessionGuard: Operation {
    /// The guard.
    package var path: FilePath
    var fileSystem = FileSystem()

    package init(_ path: FilePath) { self.path = path }

    package func plan(in context: OperationContext) async throws -> PlannedFiles {
        try await context.blocking { _ in
            var plan = PlannedFiles()
            plan.removed = [try checked().folder]
            return plan
        }
    }

    /// - Throws: ``OperationError``: `notFound`, `unsupported`, `inUse`, and where there is no consent; `FileError`.
    package func run(in context: OperationContext) async throws -> RemovedSessionGuard {
        try await context.blocking { _ in
            let (folder, size) = try checked()
            let lock = try GuardedStore.lock(folder)
            defer { extendLifetime(lock) }
            try context.require(
                whileBlocking: .removeSessionGuard(path),
                unasked: .unasked("removing a guard", subject: path.string))
            try GuardTaking.discard(folder, fileSystem)
            return RemovedSessionGuard(path: path.string, freed: size)
        }
    }

    /// A guard with a damaged record can be removed too, but nothing that was put into its folder by others.
    private func checked() throws -> (folder: FilePath, size: Int64) {
        guard try GuardFolder.isOne(path, fileSystem) else {
            throw OperationError(.notFound, "no guard of a store of Session", subject: path.string)
        }
        let folder = try fileSystem.resolve(path)
        var size: Int64 = 0
        try look(folder, "", &size)
        return (folder, size)
    }

    private func look(_ folder: FilePath, _ lead: String, _ size: inout Int64) throws {
        let states = [SessionPlace.Kind.desktop, .phone].compactMap(\.stateFiles)
        let files = Set(states.flatMap { ($0.all + [$0.index]).map(\.string) } + [GuardRecord.fileName])
        for entry in try fileSystem.list(folder) {
            let name = lead + (entry.name ?? "")
            if entry.kind == .directory, files.contains(where: { $0.hasPrefix(name + "/") }) {
                try look(folder.appending(entry.name ?? ""), name + "/", &size)
            } else if entry.kind == .regular, files.contains(name) {
                size = size.saturatingSum(
                    try fileSystem.attributes(of: folder.appending(entry.name ?? ""))?.size ?? 0)
            } else {
                throw OperationError(
                    .unsupported, "the folder contains more than a guard: \(name). Nothing was removed.",
                    subject: path.string)
            }
        }
    }
}

/// A guard that was removed.
package struct RemovedSessionGuard: OperationReport, Equatable {
    package let path: String
    /// In bytes.
    package let freed: Int64
}
