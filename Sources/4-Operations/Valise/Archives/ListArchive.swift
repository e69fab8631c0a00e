import SystemPackage
public import ValiseAccountArchives

/// Lists what an archive holds, after the checks of an import.
public struct ListArchive: Operation {
    package var archive: ImportArchive.Source

    /// - Parameter archive: what is listed.
    public init(_ archive: ImportArchive.Source) { self.archive = archive }

    public func run(in context: OperationContext) async throws -> ArchiveListing {
        try await context.blocking { _ in
            try ArchiveListing(archive.path, fileSystem: archive.fileSystem)
        }
    }
}
