package import SystemPackage
package import ValiseAccounts
package import ValiseFiles

/// The media that an archive takes of an account, in the order of the bytes of their names in it.
///
/// There may be hundreds of thousands, so a name and a path are made when they are asked for.
package struct ArchivedMedia: Sendable {
    private var sources: [ExportSource]
    /// Files that no archive takes, as an export reports them.
    package let archiveErrors: [ArchiveError]

    /// Lists what is there now; nothing is opened.
    /// - Throws: `FileError`.
    package init(_ location: AccountLocation, fileSystem: FileSystem = FileSystem()) throws {
        var collector = ExportCollector(ExportChoice(.complete), fileSystem)
        // Each folder is listed in the order of its names.
        try collector.addFolder(location.wallpapersFolder, as: ArchiveLayout.wallpapers)
        try collector.addFolder(location.filesFolder, as: ArchiveLayout.files)
        sources = collector.sources
        archiveErrors = collector.errors
    }

    /// The same list without some files.
    /// - Parameter isKept: gets the path in the archive.
    package func filtered(_ isKept: (String) -> Bool) -> ArchivedMedia {
        var list = self
        list.sources.removeAll { !isKept($0.name) }
        return list
    }

    package var count: Int { sources.count }
    package var indices: Range<Int> { sources.indices }

    /// The path in the archive, such as `simplex_v1_files/x`.
    package func name(_ index: Int) -> String { sources[index].name }

    /// In bytes, when it was listed.
    package func size(_ index: Int) -> Int64 { sources[index].size }

    /// Where the file is.
    package func path(_ index: Int) -> FilePath { sources[index].path }
}
