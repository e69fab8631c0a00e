import SystemPackage
public import ValiseAccountArchives

/// Lists the entries of an archive, after the same checks as an import.
public struct ListArchive: Operation {
    package var archive: ImportArchive.Source

    /// - Parameter archive: the archive to list.
    public init(_ archive: ImportArchive.Source) { self.archive = archive }

    public func run(in context: OperationContext) async throws -> ArchiveListing {
        let archive = try await archive.kept(in: .temporary, context)
        return try await context.blocking { progress in
            try ArchiveListing(archive.path, fileSystem: archive.fileSystem, progress: progress)
        }
    }
}
