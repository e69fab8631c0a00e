import SystemPackage
public import ValiseAccountArchives

/// Lists what an archive holds, after the checks of an import.
public struct ListArchive: Operation {
    public var archive: ImportArchive.Source

    public init(_ archive: ImportArchive.Source) { self.archive = archive }

    public func run(in context: OperationContext) async throws -> ArchiveListing {
        try await context.blocking { _ in
            try ArchiveListing(archive.path, fileSystem: archive.fileSystem)
        }
    }
}
